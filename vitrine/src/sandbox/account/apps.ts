// The account "Northlight": its 24 apps.
import { sampleInstant, pick, row, uuid, readTable } from './rows.ts'

// name | last part of the bundle id | platforms, first one leading | primary locale
const catalogue = readTable(`Tidal Charts|tidal-charts|IOS MAC_OS|en-US
Paper Lantern|paper-lantern|IOS|en-US
Kiln & Clay|kiln-and-clay|IOS|en-GB
Fjordwalk|fjordwalk|IOS VISION_OS|no
Quiet Orchard|quiet-orchard|IOS TV_OS|en-US
Morse Garden|morse-garden|IOS|de-DE
Ember Ledger|ember-ledger|MAC_OS IOS|en-US
Halftone Camera|halftone-camera|IOS|en-US
Sourdough Clock|sourdough-clock|IOS|fr-FR
Lichen Field Guide|lichen-field-guide|IOS|en-CA
月の暦|tsuki-no-koyomi|IOS|ja
Polar Metronome|polar-metronome|IOS MAC_OS|en-US
Drift Radio|drift-radio|IOS TV_OS|en-US
Cartographer’s Desk|cartographers-desk|MAC_OS|en-GB
Snowglobe Solitaire|snowglobe-solitaire|IOS MAC_OS TV_OS|en-US
Braid: Knot Trainer|braid-knot-trainer|IOS|en-US
Vesper Sleep|vesper-sleep|IOS|en-US
Copper Kettle Recipes|copper-kettle|IOS|es-MX
Aurora Almanac|aurora-almanac|IOS VISION_OS|en-US
Pocket Seismograph|pocket-seismograph|IOS|it
Wren’s Word Hunt|wrens-word-hunt|IOS|en-AU
Slow Postcards|slow-postcards|IOS|pt-BR
Theremin Studio|theremin-studio|VISION_OS IOS|en-US
Beekeeper’s Log|beekeepers-log|IOS|sv`)

export const flagshipId = '6446998001'

export const sampleApps = catalogue.map(([name = '', slug = '', platforms = '', primaryLocale = ''], index) => ({
  id: String(6_446_998_001 + index),
  name,
  bundleId: `com.example.northlight.${slug}`,
  platforms: platforms.split(' '),
  primaryLocale,
}))

const appRows = sampleApps.map((app, index) => {
  const hasSubscriptions = index % 4 === 0
  const hooks = `https://hooks.example.com/${app.bundleId}`
  return row('apps', app.id, {
    accessibilityUrl: index % 3 === 0 ? `https://northlight.example.com/accessibility/${index + 1}` : null,
    name: app.name,
    bundleId: app.bundleId,
    sku: `NL-2026-${String(index + 1).padStart(3, '0')}`,
    primaryLocale: app.primaryLocale,
    isOrEverWasMadeForKids: index === 20,
    subscriptionStatusUrl: hasSubscriptions ? `${hooks}/production` : null,
    subscriptionStatusUrlVersion: hasSubscriptions ? 'V2' : null,
    subscriptionStatusUrlForSandbox: hasSubscriptions ? `${hooks}/sandbox` : null,
    subscriptionStatusUrlVersionForSandbox: hasSubscriptions ? pick(['V2', 'V1'], index / 4) : null,
    contentRightsDeclaration: pick(['DOES_NOT_USE_THIRD_PARTY_CONTENT', 'USES_THIRD_PARTY_CONTENT', null], index),
    streamlinedPurchasingEnabled: index % 5 !== 4,
    performanceOverviews: [app.id],
    appStoreIcon: uuid(`icon ${app.id}`),
  })
})

const iconRows = sampleApps.map((app, index) =>
  row('buildIcons', uuid(`icon ${app.id}`), {
    iconAsset: {
      templateUrl: `https://assets.example.com/icons/${app.bundleId}/{w}x{h}bb.{f}`,
      width: 1024,
      height: 1024,
    },
    iconType: 'APP_STORE',
    masked: index % 2 === 0,
    name: 'AppIcon',
  }),
)

const gameCenterRows = [5, 15].map((index) => {
  const app = pick(sampleApps, index - 1)
  return row('gameCenterEnabledVersions', uuid(`game center ${app.id}`), {
    platform: 'IOS',
    versionString: `${index}.0`,
    iconAsset: null,
    app: app.id,
    compatibleVersions: [],
    since: sampleInstant(index),
  })
})

export const rows = [...appRows, ...iconRows, ...gameCenterRows]
