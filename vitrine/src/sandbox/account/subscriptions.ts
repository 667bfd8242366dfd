// Subscriptions with their localizations, promoted purchases, offer codes and batches of one-time codes.
import { flagshipId, sampleApps } from './apps.ts'
import { sampleDay, sampleInstant, pick, range, row, uuid, readTable } from './rows.ts'
import { pricePointId } from './territories.ts'

export const mainSubscriptionId = '6746005009'
const bareSubscriptionId = '6746005010'
const groupId = '21560001'
const promotedId = uuid('promoted purchase')
const mainBatchId = 'f3a5b7c9-8d0e-4213-a4b5-0c0000000019'

const subscriptionGroupRows = [
  row('subscriptionGroups', groupId, {
    referenceName: 'Tidal Charts Pro',
    subscriptions: [mainSubscriptionId, bareSubscriptionId],
    app: flagshipId,
  }),
]

const subscriptionRows = [mainSubscriptionId, bareSubscriptionId].map((id, index) =>
  row('subscriptions', id, {
    name: pick(['Pro, yearly', 'Pro, monthly'], index),
    productId: `com.example.northlight.tidal-charts.pro.${pick(['yearly', 'monthly'], index)}`,
    familySharable: index === 0,
    state: pick(['APPROVED', 'READY_TO_SUBMIT'], index),
    subscriptionPeriod: pick(['ONE_YEAR', 'ONE_MONTH'], index),
    groupLevel: index + 1,
    group: groupId,
    promotedPurchase: index === 0 ? promotedId : null,
    winBackOffers: index === 0 ? ['6742001014'] : [],
  }),
)

const promotedPurchaseRows = [
  row('promotedPurchases', promotedId, {
    visibleForAllUsers: true,
    enabled: true,
    state: 'APPROVED',
    subscription: mainSubscriptionId,
    inAppPurchaseV2: null,
    app: flagshipId,
  }),
]

// subscription | locale | name | description | state
const subscriptionLocalizationRows =
  readTable(`${mainSubscriptionId}|en-US|Tidal Pro (Year)|Every harbour, every chart.|APPROVED
${mainSubscriptionId}|de-DE|Tidal Pro (Jahr)|Alle Häfen, alle Karten.|APPROVED
${mainSubscriptionId}|ja|Tidal Pro（年間）|すべての港、すべての海図。|WAITING_FOR_REVIEW
${mainSubscriptionId}|zh-Hans|Tidal Pro（年）||REJECTED
${bareSubscriptionId}|en-US|Tidal Pro (Month)|Try every harbour.|PREPARE_FOR_SUBMISSION`).map(
    ([subscription = '', locale = '', name = '', description = '', state = '']) =>
      row('subscriptionLocalizations', uuid(`subscription localization ${subscription} ${locale}`), {
        name,
        locale,
        description: description === '' ? null : description,
        state,
        subscription,
      }),
  )

const occasions =
  `Welcome back|Boat show 2026|Newsletter|Harbour partners|夏の海|Early birds|Podcast|Students|عرض الصيف|Press|Loyal sailors 🧭|Test flight`.split(
    '|',
  )

const offerCodeId = (number: number): string => uuid(`offer code ${number}`)
const territoriesOf = (number: number): string[] => ['USA', 'CAN', 'DEU', 'JPN', 'FRA'].slice(0, 1 + (number % 5))

const offerCodeRows = occasions.map((name, number) =>
  row('subscriptionOfferCodes', offerCodeId(number), {
    name,
    customerEligibilities: pick([['NEW'], ['NEW', 'EXPIRED'], ['EXISTING', 'EXPIRED', 'NEW']], number),
    offerEligibility: pick(['STACK_WITH_INTRO_OFFERS', 'REPLACE_INTRO_OFFERS'], number),
    duration: pick(['THREE_DAYS', 'ONE_MONTH', 'THREE_MONTHS', 'ONE_YEAR'], number),
    offerMode: pick(['FREE_TRIAL', 'PAY_AS_YOU_GO', 'PAY_UP_FRONT'], number),
    numberOfPeriods: 1 + (number % 3),
    totalNumberOfCodes: 500 * (number + 1),
    productionCodeCount: 500 * number,
    sandboxCodeCount: number === 11 ? null : 500,
    active: number % 4 !== 3,
    autoRenewEnabled: number % 2 === 0,
    targetSubscriptionPlanType: pick(['UPFRONT', 'MONTHLY', null], number),
    subscription: mainSubscriptionId,
    territory: territoriesOf(number),
  }),
)

const offerPriceRows = occasions.flatMap((_, number) =>
  territoriesOf(number).map((territory) =>
    row('subscriptionOfferCodePrices', uuid(`offer code price ${number} ${territory}`), {
      territory,
      subscriptionPricePoint: pricePointId(mainSubscriptionId, territory, 9),
      offerCode: offerCodeId(number),
    }),
  ),
)

const oneTimeCodeRows = range(5).map((number) =>
  row('subscriptionOfferCodeOneTimeUseCodes', number === 0 ? mainBatchId : uuid(`one-time batch ${number}`), {
    numberOfCodes: 500 * (number + 1),
    createdDate: sampleInstant(600 + number, 'pacific'),
    expirationDate: number === 3 ? null : sampleDay(200 + number),
    active: number !== 4,
    environment: pick(['PRODUCTION', 'SANDBOX'], number),
    offerCode: offerCodeId(number % 2),
    app: sampleApps[0]?.id ?? null,
  }),
)

const customCodeRows = range(3).map((number) =>
  row('subscriptionOfferCodeCustomCodes', uuid(`subscription custom code ${number}`), {
    customCode: pick(['SAILHOME', 'HARBOUR26', 'LOWTIDE'], number),
    numberOfCodes: 1000,
    createdDate: sampleInstant(610 + number, 'pacific'),
    expirationDate: sampleDay(230),
    active: true,
    offerCode: offerCodeId(0),
  }),
)

export const rows = [
  ...subscriptionGroupRows,
  ...subscriptionRows,
  ...promotedPurchaseRows,
  ...subscriptionLocalizationRows,
  ...offerCodeRows,
  ...offerPriceRows,
  ...oneTimeCodeRows,
  ...customCodeRows,
]
