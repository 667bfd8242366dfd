// Screenshots and words that testers send from test builds: personal data.
import {
  any,
  dateTime,
  int64,
  integer,
  known,
  list,
  listed,
  page,
  record,
  resource,
  stamp,
  text,
  to,
} from './define.ts'
import { deviceFamilies, platforms } from './parameters.ts'

const betaFeedback = resource({
  name: 'BetaFeedbackScreenshotSubmission',
  type: 'betaFeedbackScreenshotSubmissions',
  attributes: {
    createdDate: dateTime('When the tester sent it.'),
    comment: text("The tester's words."),
    email: text("The tester's address, where they gave it."),
    deviceModel: text('Hardware identifier of the device.'),
    osVersion: text('Version of the operating system.'),
    locale: text("Locale of the tester's device."),
    timeZone: text("Time zone of the tester's device."),
    architecture: text('Processor architecture.'),
    connectionType: known(['WIFI', 'MOBILE_DATA', 'WIRE', 'UNKNOWN', 'NONE'], 'How the device was connected.'),
    pairedVendorWatch: text('Model of the paired watch.'),
    appUptimeInMilliseconds: int64('How long the app had been running.'),
    diskBytesAvailable: int64('Free space.'),
    diskBytesTotal: int64('Size of the storage.'),
    batteryPercentage: integer('Charge of the battery.'),
    screenWidthInPoints: integer('Width of the screen.'),
    screenHeightInPoints: integer('Height of the screen.'),
    appPlatform: known(platforms, 'Platform of the app.'),
    devicePlatform: known(platforms, 'Platform of the device.'),
    deviceFamily: known(deviceFamilies, 'Family of the device.'),
    buildBundleId: text('Bundle identifier of the build.'),
    screenshots: list(
      record({ url: text(), width: integer(), height: integer(), expirationDate: dateTime() }),
      'Pictures, by links that expire after some days.',
    ),
  },
  links: {
    buildId: to('build', 'builds', 'expired', 'Build the tester ran.'),
    testerId: to('tester', 'betaTesters', 'state', 'Tester.'),
  },
  fromPath: ['appId'],
})

export const listBetaFeedbackSubmissions = page({
  path: '/apps/{appId}/beta-feedback-screenshot-submissions',
  group: 'feedback',
  summary: 'List the screenshot feedback of testers',
  about: 'Holds personal data of testers: grant the group `feedback` to those who need it.',
  from: { read: '/v1/apps/{appId}/betaFeedbackScreenshotSubmissions' },
  filters: {
    deviceModel: any('filter[deviceModel]', 'Only from these devices, by hardware identifier.'),
    osVersion: any('filter[osVersion]', 'Only from these versions of the operating system.'),
    appPlatform: listed('filter[appPlatform]', platforms, 'Only for these platforms of the app.'),
    devicePlatform: listed('filter[devicePlatform]', platforms, 'Only from these platforms of the device.'),
    buildId: any('filter[build]', 'Only for these builds, by id.'),
    'build.preReleaseVersion': any('filter[build.preReleaseVersion]', 'Only for these pre-release versions, by id.'),
    tester: any('filter[tester]', 'Only from these testers, by id.'),
  },
  sort: ['createdDate'],
  returns: betaFeedback,
  reviewed: stamp('4.4.1', '2026-11-20'),
  example: '/apps/6446998001/beta-feedback-screenshot-submissions?limit=2&sort=-createdDate',
})
