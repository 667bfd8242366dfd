// The platform's build, upload and TestFlight resources: the names of their attributes and relationships.
// Values belong to the studio; which reads exist belongs to the endpoint tables.
import { resource } from './resource.ts'

export const buildsWords = {
  builds: resource({
    attributes: `version uploadedDate expirationDate expired minOsVersion lsMinimumSystemVersion
      computedMinMacOsVersion computedMinVisionOsVersion iconAssetToken processingState buildAudienceType
      usesNonExemptEncryption`,
    one: 'buildUpload:buildUploads',
    oneLinked: `preReleaseVersion:preReleaseVersions appEncryptionDeclaration:appEncryptionDeclarations
      betaAppReviewSubmission:betaAppReviewSubmissions app:apps buildBetaDetail:buildBetaDetails
      appStoreVersion:appStoreVersions`,
    many: 'individualTesters:betaTesters betaGroups betaBuildLocalizations icons:buildIcons',
    manyBare: 'buildBundles',
    linked: 'perfPowerMetrics diagnosticSignatures',
  }),
  buildBundles: resource({
    attributes: `bundleId bundleType sdkBuild platformBuild fileName hasSirikit hasOnDemandResources
      hasPrerenderedIcon usesLocationServices isIosBuildMacAppStoreCompatible includesSymbols dSYMUrl
      supportedArchitectures requiredCapabilities deviceProtocols locales entitlements baDownloadAllowance
      baMaxInstallSize minimumOsVersion`,
    oneLinked: `appClipDomainCacheStatus:appClipDomainStatuses appClipDomainDebugStatus:appClipDomainStatuses`,
    many: 'betaAppClipInvocations buildBundleFileSizes',
  }),
  buildIcons: resource({
    attributes: 'iconAsset iconType masked name',
  }),
  buildUploads: resource({
    attributes: 'cfBundleShortVersionString cfBundleVersion createdDate state platform uploadedDate',
    one: `build:builds assetFile:buildUploadFiles assetDescriptionFile:buildUploadFiles
      assetSpiFile:buildUploadFiles`,
    linked: 'buildUploadFiles',
  }),
  buildUploadFiles: resource({
    attributes: `assetDeliveryState assetToken assetType fileName fileSize sourceFileChecksums uploadOperations uti`,
  }),
  preReleaseVersions: resource({
    attributes: 'version platform',
    oneLinked: 'app:apps',
    many: 'builds',
  }),
  appClipDomainStatuses: resource({
    attributes: 'domains lastUpdatedDate',
  }),
  betaFeedbackScreenshotSubmissions: resource({
    attributes: `createdDate comment email deviceModel osVersion locale timeZone architecture connectionType
      pairedAppleWatch appUptimeInMilliseconds diskBytesAvailable diskBytesTotal batteryPercentage
      screenWidthInPoints screenHeightInPoints appPlatform devicePlatform deviceFamily buildBundleId
      screenshots`,
    one: 'build:builds tester:betaTesters',
  }),
  betaGroups: resource({
    attributes: `name createdDate isInternalGroup hasAccessToAllBuilds publicLinkEnabled publicLinkId
      publicLinkLimitEnabled publicLinkLimit publicLink feedbackEnabled
      iosBuildsAvailableForAppleSiliconMac iosBuildsAvailableForAppleVision`,
    oneLinked: 'app:apps betaRecruitmentCriteria',
    many: 'builds betaTesters',
    linked: 'betaRecruitmentCriterionCompatibleBuildCheck',
  }),
  betaTesters: resource({
    attributes: 'firstName lastName email inviteType state appDevices',
    many: 'apps betaGroups builds',
  }),
  betaLicenseAgreements: resource({
    attributes: 'agreementText',
    oneLinked: 'app:apps',
  }),
  betaAppReviewDetails: resource({
    attributes: `contactFirstName contactLastName contactPhone contactEmail demoAccountName demoAccountPassword
      demoAccountRequired notes`,
    oneLinked: 'app:apps',
  }),
  betaAppLocalizations: resource({
    attributes: 'feedbackEmail marketingUrl privacyPolicyUrl tvOsPrivacyPolicy description locale',
    oneLinked: 'app:apps',
  }),
} as const
