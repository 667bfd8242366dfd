// The platform's build, upload and TestFlight resources: the names of their attributes and relationships.
import type { ResourceText } from './resource.ts'

export const buildSchemas: Readonly<Record<string, ResourceText>> = {
  builds: {
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
  },
  buildBundles: {
    attributes: `bundleId bundleType sdkBuild platformBuild fileName hasSirikit hasOnDemandResources
      hasPrerenderedIcon usesLocationServices isIosBuildMacAppStoreCompatible includesSymbols dSYMUrl
      supportedArchitectures requiredCapabilities deviceProtocols locales entitlements baDownloadAllowance
      baMaxInstallSize minimumOsVersion`,
    oneLinked: `appClipDomainCacheStatus:appClipDomainStatuses appClipDomainDebugStatus:appClipDomainStatuses`,
    many: 'betaAppClipInvocations buildBundleFileSizes',
  },
  betaAppReviewSubmissions: { attributes: 'betaReviewState submittedDate', one: 'build:builds' },
  buildBetaDetails: { attributes: 'autoNotifyEnabled internalBuildState externalBuildState', one: 'build:builds' },
  buildIcons: { attributes: 'iconAsset iconType masked name' },
  buildUploads: {
    attributes: 'cfBundleShortVersionString cfBundleVersion createdDate state platform uploadedDate',
    one: `build:builds assetFile:buildUploadFiles assetDescriptionFile:buildUploadFiles
      assetSpiFile:buildUploadFiles`,
    linked: 'buildUploadFiles',
  },
  buildUploadFiles: {
    attributes: `assetDeliveryState assetToken assetType fileName fileSize sourceFileChecksums uploadOperations uti`,
  },
  preReleaseVersions: { attributes: 'version platform', oneLinked: 'app:apps', many: 'builds' },
  appClipDomainStatuses: { attributes: 'domains lastUpdatedDate' },
  betaFeedbackScreenshotSubmissions: {
    attributes: `createdDate comment email deviceModel osVersion locale timeZone architecture connectionType
      pairedAppleWatch appUptimeInMilliseconds diskBytesAvailable diskBytesTotal batteryPercentage
      screenWidthInPoints screenHeightInPoints appPlatform devicePlatform deviceFamily buildBundleId
      screenshots`,
    one: 'build:builds tester:betaTesters',
  },
  betaGroups: {
    attributes: `name createdDate isInternalGroup hasAccessToAllBuilds publicLinkEnabled publicLinkId
      publicLinkLimitEnabled publicLinkLimit publicLink feedbackEnabled
      iosBuildsAvailableForAppleSiliconMac iosBuildsAvailableForAppleVision`,
    oneLinked: 'app:apps betaRecruitmentCriteria',
    many: 'builds betaTesters',
    linked: 'betaRecruitmentCriterionCompatibleBuildCheck',
  },
  betaTesters: { attributes: 'firstName lastName email inviteType state appDevices', many: 'apps betaGroups builds' },
  betaLicenseAgreements: { attributes: 'agreementText', oneLinked: 'app:apps' },
  betaAppReviewDetails: {
    attributes: `contactFirstName contactLastName contactPhone contactEmail demoAccountName demoAccountPassword
      demoAccountRequired notes`,
    oneLinked: 'app:apps',
  },
  betaAppLocalizations: {
    attributes: 'feedbackEmail marketingUrl privacyPolicyUrl tvOsPrivacyPolicy description locale',
    oneLinked: 'app:apps',
  },
}
