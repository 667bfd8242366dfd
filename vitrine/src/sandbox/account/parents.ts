// Which rows are children of which: each parent's to-many relationships are filled from these lines.
import { readTable } from './rows.ts'

// type of the parent | relationship or value by which children name it | its relationships
export const parentLinks =
  readTable(`apps|app|appStoreVersions reviewSubmissions appInfos builds preReleaseVersions betaFeedbackScreenshotSubmissions
apps|app|buildUploads appEvents appCustomProductPages appStoreVersionExperimentsV2 appClips gameCenterEnabledVersions
apps|app|subscriptionGroups promotedPurchases appEncryptionDeclarations backgroundAssets customerReviews
apps|app|webhooks
webhooks|webhook|deliveries
apps|apps|inAppPurchases inAppPurchasesV2
appInfos|appInfo|territoryAgeRatings
builds|build|buildBundles
appEvents|appEvent|localizations
appEventLocalizations|appEventLocalization|appEventScreenshots placements
appStoreVersionExperiments|appStoreVersionExperimentV2|appStoreVersionExperimentTreatments
appStoreVersionExperimentTreatments|appStoreVersionExperimentTreatment|appStoreVersionExperimentTreatmentLocalizations
appCustomProductPages|appCustomProductPage|appCustomProductPageVersions
appCustomProductPageVersions|appCustomProductPageVersion|appCustomProductPageLocalizations
appCustomProductPageLocalizations|appCustomProductPageLocalization|appScreenshotSets placements
appAssetLibraryImages|image|placements
appAssetLibraryVideos|video|placements
appClips|appClip|appClipDefaultExperiences
appClipDefaultExperiences|appClipDefaultExperience|appClipDefaultExperienceLocalizations
subscriptions|subscription|subscriptionLocalizations offerCodes
subscriptionOfferCodes|offerCode|prices oneTimeUseCodes customCodes
winBackOffers|winBackOffer|prices
inAppPurchases|inAppPurchase|images versions
inAppPurchases|purchase|offerCodes
inAppPurchaseVersions|version|localizations
inAppPurchaseOfferCodes|offerCode|customCodes`).flatMap(([parent = '', naming = '', relations = '']) =>
    relations.split(' ').map((relation) => ({ parent, naming, relation })),
  )
