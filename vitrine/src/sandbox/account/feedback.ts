// Builds, pre-release versions, testers, and the screenshots and comments that testers send.
import type { SandboxRow } from '../store.ts'
import { flagshipId, sampleApps } from './apps.ts'
import { hexDigest, imageAsset, sampleInstant, pick, range, row, readTable, uuid, writeInstant } from './rows.ts'

const buildsPerApp = 4

export const buildId = (appId: string, number: number): string => uuid(`build ${appId} ${number}`)

const preReleaseId = (appId: string, number: number): string => uuid(`pre-release ${appId} ${Math.floor(number / 2)}`)

const preReleaseRows = sampleApps.flatMap((app) =>
  range(buildsPerApp / 2).map((number) =>
    row('preReleaseVersions', preReleaseId(app.id, number * 2), {
      version: `2.${number}`,
      platform: app.platforms[0] ?? 'IOS',
      app: app.id,
      builds: [buildId(app.id, number * 2), buildId(app.id, number * 2 + 1)],
    }),
  ),
)

const buildRows = sampleApps.flatMap((app, appIndex) =>
  range(buildsPerApp).map((number) =>
    row('builds', buildId(app.id, number), {
      version: String(410 + number),
      uploadedDate: sampleInstant(number * 240 + appIndex, 'pacific'),
      expirationDate: sampleInstant(number * 240 + appIndex + 2160, 'pacific'),
      expired: number === 0,
      minOsVersion: '17.0',
      processingState: number === 3 ? 'PROCESSING' : 'VALID',
      buildAudienceType: 'APP_STORE_ELIGIBLE',
      iconAssetToken: imageAsset(`build icon ${app.id}`, 1024, 1024),
      usesNonExemptEncryption: false,
      app: app.id,
      preReleaseVersion: preReleaseId(app.id, number),
    }),
  ),
)

const people =
  `Ada Brook|Noor Haddad|Jun Ishikawa|Lena Vogt|Mateo Ruiz|Siobhán Walsh|Tuva Lind|Yael Peretz|Zhang Wei|Olu Adeyemi`
    .split('|')
    .map((name, index) => ({ first: name.split(' ')[0] ?? '', last: name.split(' ')[1] ?? '', number: index + 1 }))

const testerId = (number: number): string => uuid(`tester ${number}`)

const testerRows = people.map((person) =>
  row('betaTesters', testerId(person.number), {
    firstName: person.first,
    lastName: person.last,
    email: `tester${person.number}@example.com`,
    inviteType: pick(['EMAIL', 'PUBLIC_LINK'], person.number),
    state: pick(['INSTALLED', 'ACCEPTED', 'INVITED'], person.number),
    appDevices: [],
  }),
)

const comments: readonly (string | null)[] = [
  'The chart jumps back to today when I rotate the phone.',
  'Love the new tide curve 🌊🌙 but the legend is cut off.',
  'الرسم البياني لا يظهر عند استخدام اللغة العربية',
  'הכיתוב חופף לכפתור ״המשך״ במסך הבית',
  null,
  '潮位グラフの日付が一日ずれています。',
  '深色模式下文字几乎看不清 🙈',
  'Crash after “Share”… twice in a row.\nSecond line: it came back after a restart.',
  'Größe der Schrift lässt sich nicht ändern.',
  '',
  '👩🏽‍🚀 works on my phone, not on my iPad',
]

// model | OS | family | platform | width | height | architecture
const devices = readTable(`iPhone17,1|26.2|IPHONE|IOS|402|874|arm64e
iPhone15,2|26.1|IPHONE|IOS|393|852|arm64e
iPad14,5|26.2|IPAD|IOS|1024|1366|arm64e
Mac15,6|26.1|MAC|MAC_OS|1512|982|arm64
AppleTV14,1|26.0|APPLE_TV|TV_OS|1920|1080|arm64
RealityDevice14,1|26.2|VISION|VISION_OS|1280|720|arm64e`)

const places = [
  'en_US|America/Los_Angeles',
  'de_DE|Europe/Berlin',
  'ja_JP|Asia/Tokyo',
  'ar_AE|Asia/Dubai',
  'pt_BR|America/Recife',
]

const screenshotsOf = (id: string, number: number, width: number, height: number) =>
  range((number + 2) % 4).map((shot) => ({
    url: `https://feedback.example.com/${hexDigest(id).slice(0, 20)}/${shot + 1}.jpg?Expires=1799999999&Signature=${hexDigest(`${id} ${shot}`).slice(0, 24)}`,
    width: width * 3,
    height: height * 3,
    expirationDate: sampleInstant(number * 7 + 96),
  }))

// Feedback is named by 23 characters of base64url.
const feedbackId = (appId: string, number: number): string =>
  `A${Buffer.from(hexDigest(`feedback ${appId} ${number}`), 'hex')
    .toString('base64url')
    .slice(0, 22)}`

function deviceFacts(number: number) {
  const [model = '', osVersion = '', deviceFamily = '', devicePlatform = '', width, height, architecture = ''] = pick(
    devices,
    number,
  )
  const [locale = '', timeZone = ''] = pick(places, number).split('|')
  return {
    deviceModel: model,
    osVersion,
    locale,
    timeZone,
    architecture,
    deviceFamily,
    devicePlatform,
    screenWidthInPoints: Number(width),
    screenHeightInPoints: Number(height),
  }
}

function feedbackRow(app: (typeof sampleApps)[number], number: number, createdDate: string) {
  const id = feedbackId(app.id, number)
  const device = deviceFacts(number)
  const isAnonymous = number % 7 === 3
  const tester = pick(people, number).number
  return row('betaFeedbackScreenshotSubmissions', id, {
    createdDate,
    comment: pick(comments, number),
    email: isAnonymous ? null : `tester${tester}@example.com`,
    ...device,
    connectionType: pick(['WIFI', 'MOBILE_DATA', 'WIRE', 'UNKNOWN', 'NONE'], number),
    pairedAppleWatch: device.deviceFamily === 'IPHONE' && number % 4 < 2 ? 'Watch7,4' : null,
    appUptimeInMilliseconds: 1200 + number * 73_021,
    diskBytesAvailable: 21_877_271_552 + number * 4096,
    diskBytesTotal: 1_023_877_271_552,
    batteryPercentage: device.deviceFamily === 'APPLE_TV' ? null : (number * 13 + 61) % 101,
    appPlatform: device.devicePlatform === 'VISION_OS' ? 'IOS' : device.devicePlatform,
    buildBundleId: app.bundleId,
    screenshots: screenshotsOf(id, number, device.screenWidthInPoints, device.screenHeightInPoints),
    build: buildId(app.id, number % buildsPerApp),
    tester: isAnonymous ? null : testerId(tester),
    app: app.id,
  })
}

const feedbackRows = sampleApps.flatMap((app, appIndex) =>
  range(app.id === flagshipId ? 64 : (appIndex % 5) * 2).map((number) =>
    feedbackRow(app, number, sampleInstant(number * 7, 'decimals')),
  ),
)

export const rows = [...preReleaseRows, ...buildRows, ...testerRows, ...feedbackRows]

// app | how old, in minutes, when the sandbox starts. Nothing is between an hour and a week old, so that "this week" has one
// answer, whichever day a week begins with.
const recent = readTable(`6446998004|20 52
6446998011|35 30240
6446998017|47
6446998020|21600`)

const minuteMs = 60_000
/** the decimals of a date are made up, and must not make it newer */
const secondMs = 1_000

export const recentRows = (startedAt: number): SandboxRow[] =>
  recent.flatMap(([appId = '', ages = ''], place) => {
    const app = sampleApps.find(({ id }) => id === appId)
    if (app === undefined) throw new Error('The account has no such app')
    return ages
      .split(' ')
      .map((age, index) =>
        feedbackRow(
          app,
          100 + place * 2 + index,
          writeInstant(startedAt - Number(age) * minuteMs - secondMs, 'decimals'),
        ),
      )
  })
