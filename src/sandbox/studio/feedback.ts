// Builds, their pre-release versions, the testers, and the screenshots and words that testers send back.
import type { Row } from '../store.ts'
import { flagshipId, studioApps } from './apps.ts'
import { digest, moment, pick, range, row, uuid, written } from './make.ts'

const buildsPerApp = 4

export function buildId(appId: string, number: number): string {
  return uuid(`build ${appId} ${number}`)
}

const preReleaseId = (appId: string, number: number): string => uuid(`pre-release ${appId} ${Math.floor(number / 2)}`)

const preReleaseRows = studioApps.flatMap((app) =>
  range(buildsPerApp / 2).map((number) =>
    row(
      'preReleaseVersions',
      preReleaseId(app.id, number * 2),
      { version: `2.${number}`, platform: app.platforms[0] ?? 'IOS' },
      { app: app.id, builds: [buildId(app.id, number * 2), buildId(app.id, number * 2 + 1)] },
    ),
  ),
)

const buildRows = studioApps.flatMap((app, appIndex) =>
  range(buildsPerApp).map((number) =>
    row(
      'builds',
      buildId(app.id, number),
      {
        version: String(410 + number),
        uploadedDate: moment(number * 240 + appIndex, 'pacific'),
        expirationDate: moment(number * 240 + appIndex + 2160, 'pacific'),
        expired: number === 0,
        minOsVersion: '17.0',
        iconAssetToken: null,
        processingState: number === 3 ? 'PROCESSING' : 'VALID',
        buildAudienceType: 'APP_STORE_ELIGIBLE',
        usesNonExemptEncryption: false,
      },
      { app: app.id, preReleaseVersion: preReleaseId(app.id, number) },
    ),
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
const devices = `iPhone17,1|26.2|IPHONE|IOS|402|874|arm64e
iPhone15,2|26.1|IPHONE|IOS|393|852|arm64e
iPad14,5|26.2|IPAD|IOS|1024|1366|arm64e
Mac15,6|26.1|MAC|MAC_OS|1512|982|arm64
AppleTV14,1|26.0|APPLE_TV|TV_OS|1920|1080|arm64
RealityDevice14,1|26.2|VISION|VISION_OS|1280|720|arm64e`
  .split('\n')
  .map((line) => line.split('|'))

const places = [
  'en_US|America/Los_Angeles',
  'de_DE|Europe/Berlin',
  'ja_JP|Asia/Tokyo',
  'ar_AE|Asia/Dubai',
  'pt_BR|America/Recife',
]

function screenshotsOf(id: string, number: number, width: number, height: number) {
  return range((number + 2) % 4).map((shot) => ({
    url: `https://feedback.example.com/${digest(id).slice(0, 20)}/${shot + 1}.jpg?Expires=1799999999&Signature=${digest(`${id} ${shot}`).slice(0, 24)}`,
    width: width * 3,
    height: height * 3,
    expirationDate: moment(number * 7 + 96),
  }))
}

// Feedback is named by 23 characters of base64url.
function feedbackId(appId: string, number: number): string {
  return `A${Buffer.from(digest(`feedback ${appId} ${number}`), 'hex')
    .toString('base64url')
    .slice(0, 22)}`
}

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

function feedbackRow(app: (typeof studioApps)[number], number: number, createdDate: string) {
  const id = feedbackId(app.id, number)
  const device = deviceFacts(number)
  const isAnonymous = number % 7 === 3
  const tester = pick(people, number).number
  return row(
    'betaFeedbackScreenshotSubmissions',
    id,
    {
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
    },
    { build: buildId(app.id, number % buildsPerApp), tester: isAnonymous ? null : testerId(tester) },
    { app: app.id },
  )
}

const feedbackRows = studioApps.flatMap((app, appIndex) =>
  range(app.id === flagshipId ? 64 : (appIndex % 5) * 2).map((number) =>
    feedbackRow(app, number, moment(number * 7, 'decimals')),
  ),
)

export const rows: readonly Row[] = [...preReleaseRows, ...buildRows, ...testerRows, ...feedbackRows]

// app | how old, in minutes, when the sandbox starts. Nothing is between an hour and a week old, so that "this week" has one
// answer, whichever day a week begins with.
const fresh = `6446998004|20 52
6446998011|35 30240
6446998017|47
6446998020|21600`
  .split('\n')
  .map((line) => line.split('|'))

const minuteMs = 60_000
/** the decimals of a date are made up, and must not make it younger */
const secondMs = 1_000

/** feedback that has just come, beside all that is fixed */
export function freshRows(startedAt: number): Row[] {
  return fresh.flatMap(([appId = '', ages = ''], place) => {
    const app = studioApps.find(({ id }) => id === appId)
    if (app === undefined) throw new Error('The studio has no such app')
    return ages
      .split(' ')
      .map((age, index) =>
        feedbackRow(app, 100 + place * 2 + index, written(startedAt - Number(age) * minuteMs - secondMs, 'decimals')),
      )
  })
}
