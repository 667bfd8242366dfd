// One change of a vendor's document for each class of finding, and its expected findings, typed by hand. Long because it is a table.
import type { Group } from '../../src/catalogue/define.ts'
import type { FindingClass, Severity } from '../../src/review/finding.ts'
import type { Doc } from '../support/vendor-document.ts'

export interface Mutation {
  readonly name: string
  readonly change: (doc: Doc) => void
  readonly finds: readonly (readonly [
    name: FindingClass,
    severity: Severity,
    /** or the group of the probe */
    route: number | Group,
    at: string,
    ours?: string | undefined,
    theirs?: string,
  ])[]
  /** the exit code, by itself and with --fail-on addition */
  readonly exit: readonly [plain: number, strict: number]
  /** the routes beyond the contract read what the doctor tries, and would report it in its place */
  readonly isOfContract?: true
}

const at = (doc: Doc, path: string): Doc => doc['paths'][path].get
const parameter = (doc: Doc, path: string, name: string): Doc =>
  at(doc, path)['parameters'].find((one: Doc) => one['name'] === name)
const drop = (doc: Doc, path: string, name: string) => {
  at(doc, path)['parameters'] = at(doc, path)['parameters'].filter((one: Doc) => one['name'] !== name)
}
const attributes = (doc: Doc, operation: string): Doc =>
  doc['components'].schemas[operation].properties.attributes.properties
const relationships = (doc: Doc, operation: string): Doc =>
  doc['components'].schemas[operation].properties.relationships.properties

const answer = (doc: Doc, path: string): Doc => at(doc, path)['responses'][200].content['application/json'].schema

const reviews = '/v1/customerReviewResponses/{id}'
const reviewsAt = '/v1/customerReviewResponses/{responseId}'
const feedback = '/v1/apps/{id}/betaFeedbackScreenshotSubmissions'
const versions = '/v1/apps/{id}/relationships/appStoreVersions'
const pages = '/v1/appCustomProductPageVersions/{id}/appCustomProductPageLocalizations'
const nomination = 'getFeaturingNomination'
const [broken, changed, added] = [[1, 1] as const, [1, 1] as const, [0, 1] as const]

export const mutations: readonly Mutation[] = [
  {
    name: 'an endpoint goes',
    change: (doc) => delete doc['paths'][reviews],
    finds: [['endpoint-absent', 'break', 28, '/v1/customerReviewResponses/{responseId}']],
    exit: broken,
  },
  {
    name: 'an endpoint can no longer be read',
    change: (doc) => {
      doc['paths'][reviews] = { patch: doc['paths'][reviews].get }
    },
    finds: [['endpoint-absent', 'break', 28, '/v1/customerReviewResponses/{responseId}']],
    exit: broken,
  },
  {
    name: 'the listing that three routes look a locale up in, and one reads, goes',
    change: (doc) => delete doc['paths'][pages],
    finds: [7, 18, 22, 40].map((route) => [
      ...(['endpoint-absent', 'break', route] as const),
      '/v1/appCustomProductPageVersions/{pageVersionId}/appCustomProductPageLocalizations',
    ]),
    exit: broken,
  },
  {
    name: 'the list that proves a membership goes',
    change: (doc) => delete doc['paths']['/v1/apps/{id}/relationships/appInfos'],
    finds: [['endpoint-absent', 'break', 12, '/v1/apps/{appId}/relationships/appInfos']],
    exit: broken,
  },
  {
    name: 'an endpoint is deprecated',
    change: (doc) => {
      at(doc, reviews)['deprecated'] = true
    },
    finds: [['endpoint-deprecated', 'change', 28, '/v1/customerReviewResponses/{responseId}']],
    exit: changed,
  },
  {
    name: 'a filter is deprecated',
    change: (doc) => {
      parameter(doc, feedback, 'filter[tester]')['deprecated'] = true
    },
    finds: [['part-deprecated', 'change', 5, 'filter[tester]']],
    exit: changed,
  },
  {
    name: 'an attribute is deprecated',
    change: (doc) => {
      attributes(doc, nomination)['notes'].deprecated = true
    },
    finds: [['part-deprecated', 'change', 16, 'notes']],
    exit: changed,
  },
  {
    name: 'a relationship is deprecated',
    change: (doc) => {
      relationships(doc, nomination)['createdByActor'].deprecated = true
    },
    finds: [['part-deprecated', 'change', 16, 'createdByActor']],
    exit: changed,
  },
  {
    name: 'a filter goes',
    change: (doc) => drop(doc, feedback, 'filter[osVersion]'),
    finds: [['parameter-absent', 'break', 5, 'filter[osVersion]']],
    exit: broken,
  },
  {
    name: 'the ordering goes',
    change: (doc) => drop(doc, feedback, 'sort'),
    finds: [['parameter-absent', 'break', 5, 'sort']],
    exit: broken,
  },
  {
    name: 'the selection of fields of a related type goes',
    change: (doc) => drop(doc, reviews, 'fields[customerReviews]'),
    finds: [['parameter-absent', 'break', 28, 'fields[customerReviews]']],
    exit: broken,
  },
  {
    name: 'a parameter that we do not send becomes required',
    change: (doc) =>
      at(doc, reviews)['parameters'].push({ name: 'team', in: 'query', required: true, schema: { type: 'string' } }),
    finds: [['parameter-required', 'break', 28, 'team']],
    exit: broken,
  },
  {
    name: 'a lookup wants a parameter',
    change: (doc) =>
      at(doc, pages)['parameters'].push({ name: 'team', in: 'query', required: true, schema: { type: 'string' } }),
    finds: [7, 18, 22, 40].map((route) => ['parameter-required', 'break', route, 'team']),
    exit: broken,
  },
  {
    name: 'a filter comes',
    change: (doc) =>
      at(doc, feedback)['parameters'].push({ name: 'filter[locale]', in: 'query', schema: { type: 'array' } }),
    finds: [['parameter-new', 'addition', 5, 'filter[locale]']],
    exit: added,
  },
  {
    name: 'a listed value of a filter goes',
    change: (doc) => {
      parameter(doc, feedback, 'filter[devicePlatform]')['schema'].items.enum = ['IOS', 'MAC_OS', 'VISION_OS']
    },
    finds: [['value-gone', 'break', 5, 'filter[devicePlatform]', 'TV_OS']],
    exit: broken,
  },
  {
    name: 'an ordering goes',
    change: (doc) => {
      parameter(doc, '/v1/apps', 'sort')['schema'].items.enum = ['name', '-name', 'bundleId', '-bundleId', 'sku']
    },
    finds: [['value-gone', 'break', 1, 'sort', '-sku']],
    exit: broken,
  },
  {
    name: 'a field can no longer be selected, in our word',
    change: (doc) => {
      const { items } = parameter(doc, feedback, 'fields[betaFeedbackScreenshotSubmissions]')['schema']
      items.enum = items.enum.filter((name: string) => name !== 'pairedAppleWatch')
    },
    finds: [['value-gone', 'break', 5, 'fields[betaFeedbackScreenshotSubmissions]', 'pairedVendorWatch']],
    exit: broken,
  },
  {
    name: 'a relationship can no longer be included',
    change: (doc) => {
      parameter(doc, '/v1/nominations/{id}', 'include')['schema'].items.enum = ['createdByActor', 'submittedByActor']
    },
    finds: [['value-gone', 'break', 16, 'include', 'lastModifiedByActor']],
    exit: broken,
  },
  {
    name: 'a filter lists another value',
    change: (doc) => parameter(doc, feedback, 'filter[devicePlatform]')['schema'].items.enum.push('CAR_OS'),
    finds: [['value-new', 'addition', 5, 'filter[devicePlatform]', undefined, 'CAR_OS']],
    exit: added,
  },
  {
    name: 'pages become smaller',
    change: (doc) => {
      parameter(doc, versions, 'limit')['schema'].maximum = 100
    },
    finds: [['limit-lowered', 'break', 26, 'limit', '200', '100']],
    exit: broken,
  },
  {
    name: 'a page becomes one resource',
    change: (doc) => {
      at(doc, feedback)['responses'][200].content['application/json'].schema.properties.data = {
        $ref: '#/components/schemas/listBetaFeedbackSubmissions',
      }
    },
    finds: [['answer-changed', 'break', 5, 'data', 'array', 'object']],
    exit: broken,
  },
  {
    name: 'an answer is no longer JSON',
    change: (doc) => {
      at(doc, reviews)['responses'][200].content = { 'text/csv': { schema: { type: 'string' } } }
    },
    finds: [['answer-changed', 'break', 28, 'answer', 'application/json', 'none']],
    exit: broken,
  },
  {
    name: 'the overview has another media type',
    change: (doc) => {
      const { content } = at(doc, '/v1/apps/{id}/performanceOverviews')['responses'][200]
      content['application/json'] = content['application/vnd.apple.xcode-overview+json']
      delete content['application/vnd.apple.xcode-overview+json']
    },
    finds: [['answer-changed', 'break', 2, 'answer', 'application/vnd.apple.xcode-overview+json', 'none']],
    exit: broken,
  },
  {
    name: 'ids are of another type',
    change: (doc) => {
      doc['components'].schemas.listAppVersionIds.properties.type.enum = ['versions']
    },
    finds: [['id-type-changed', 'break', 26, 'data.type', 'appStoreVersions', 'versions']],
    exit: broken,
  },
  {
    name: 'the one id is of another type',
    change: (doc) => {
      doc['components'].schemas.getLegacyEncryptionDeclarationAppId.properties.type.enum = ['games']
    },
    finds: [['id-type-changed', 'break', 29, 'data.type', 'apps', 'games']],
    exit: broken,
  },
  {
    name: 'an attribute goes',
    change: (doc) => delete attributes(doc, nomination)['notes'],
    finds: [['attribute-gone', 'break', 16, 'notes']],
    exit: broken,
  },
  {
    name: 'a nested attribute goes',
    change: (doc) => delete attributes(doc, 'listBetaFeedbackSubmissions')['screenshots'].items.properties.width,
    finds: [['attribute-gone', 'break', 5, 'screenshots[].width']],
    exit: broken,
  },
  {
    name: 'an attribute of the overview goes, deep inside',
    change: (doc) => {
      const { schema } = at(doc, '/v1/apps/{id}/performanceOverviews')['responses'][200].content[
        'application/vnd.apple.xcode-overview+json'
      ]
      const { properties } = schema.properties.categories.items.properties.sections.items
      delete properties.datasets.items.properties.points.items.properties.errorMargin
    },
    finds: [['attribute-gone', 'break', 2, 'categories[].sections[].datasets[].points[].errorMargin']],
    exit: broken,
  },
  {
    name: 'an attribute comes',
    change: (doc) => {
      attributes(doc, nomination)['mood'] = { type: 'string' }
    },
    finds: [['attribute-new', 'addition', 16, 'mood']],
    exit: added,
  },
  {
    name: 'an attribute changes its type',
    change: (doc) => {
      attributes(doc, nomination)['preOrderEnabled'].type = 'string'
    },
    finds: [['type-changed', 'break', 16, 'preOrderEnabled', 'boolean', 'string']],
    exit: broken,
  },
  {
    name: 'the items of a list change their type',
    change: (doc) => {
      attributes(doc, nomination)['locales'].items = { type: 'object' }
    },
    finds: [['type-changed', 'break', 16, 'locales[]', 'string', 'object']],
    exit: broken,
  },
  {
    name: 'a date gets a time',
    change: (doc) => {
      attributes(doc, 'getSubscriptionCodeBatch')['expirationDate'].format = 'date-time'
    },
    finds: [['format-changed', 'change', 19, 'expirationDate', 'date', 'date-time']],
    exit: changed,
  },
  {
    name: 'a known value goes, in our word',
    change: (doc) => {
      attributes(doc, nomination)['deviceFamilies'].items.enum = ['IPHONE', 'IPAD', 'APPLE_WATCH', 'MAC', 'VISION']
    },
    finds: [['known-value-gone', 'change', 16, 'deviceFamilies[]', 'VENDOR_TV']],
    exit: changed,
  },
  {
    name: 'known values become open',
    change: (doc) => delete attributes(doc, nomination)['state'].enum,
    finds: [['known-value-gone', 'change', 16, 'state', 'all', 'any']],
    exit: changed,
  },
  {
    name: 'a value comes',
    change: (doc) => attributes(doc, nomination)['state'].enum.push('WITHDRAWN'),
    finds: [['known-value-new', 'addition', 16, 'state', undefined, 'WITHDRAWN']],
    exit: added,
  },
  {
    name: 'a relationship goes',
    change: (doc) => delete relationships(doc, nomination)['createdByActor'],
    finds: [['relationship-gone', 'break', 16, 'createdByActor']],
    exit: broken,
  },
  {
    name: 'a relationship leads to another type',
    change: (doc) => {
      relationships(doc, nomination)['createdByActor'].properties.data.properties.type.enum = ['users']
    },
    finds: [['relationship-changed', 'break', 16, 'createdByActor', 'actors', 'users']],
    exit: broken,
  },
  {
    name: 'a relationship leads to many',
    change: (doc) => {
      const { properties } = relationships(doc, nomination)['createdByActor']
      properties.data = { type: 'array', items: properties.data }
    },
    finds: [['relationship-changed', 'break', 16, 'createdByActor', 'actors', 'no single resource']],
    exit: broken,
  },
  {
    name: 'a to-one relationship comes',
    change: (doc) => {
      const known = relationships(doc, nomination)
      known['archivedByActor'] = structuredClone(known['createdByActor'])
    },
    finds: [['relationship-new', 'addition', 16, 'archivedByActor', undefined, 'actors']],
    exit: added,
  },
  {
    name: 'a difference that was written down is none any more',
    change: (doc) => {
      attributes(doc, 'getEvent')['deepLink'].format = 'uri'
    },
    finds: [['difference-gone', 'change', 3, 'deepLink', 'format-changed']],
    exit: changed,
  },
  {
    name: 'an endpoint is opened otherwise',
    change: (doc) => {
      at(doc, reviews)['security'] = [{ grant: ['read'] }]
      doc['components'].securitySchemes.grant = { type: 'oauth2', flows: {} }
    },
    finds: [['access-changed', 'break', 28, reviewsAt, 'http bearer', 'oauth2']],
    exit: broken,
  },
  {
    name: 'a token is not enough any more, and of two ways one is',
    change: (doc) => {
      doc['components'].securitySchemes.key = { type: 'apiKey', in: 'header', name: 'X-Key' }
      at(doc, reviews)['security'] = [{ token: [], key: [] }]
      at(doc, feedback)['security'] = [{ key: [] }, { token: [] }]
    },
    finds: [
      ['operation-changed', 'note', 5, '/v1/apps/{appId}/betaFeedbackScreenshotSubmissions'],
      ['access-changed', 'break', 28, reviewsAt, 'http bearer', 'http bearer and apikey'],
    ],
    exit: broken,
  },
  {
    name: 'a header must be sent',
    change: (doc) =>
      at(doc, reviews)['parameters'].push(
        { name: 'X-Team', in: 'header', required: true, schema: { type: 'string' } },
        { name: 'Accept', in: 'header', required: true, schema: { type: 'string' } },
      ),
    finds: [['parameter-required', 'break', 28, 'X-Team']],
    exit: broken,
  },
  {
    name: 'a filter that callers may give must be given',
    change: (doc) => {
      parameter(doc, feedback, 'filter[tester]')['required'] = true
    },
    finds: [['parameter-required', 'break', 5, 'filter[tester]']],
    exit: broken,
  },
  {
    name: 'what goes with every read must be given',
    change: (doc) => {
      parameter(doc, versions, 'limit')['required'] = true
    },
    finds: [['operation-changed', 'note', 26, '/v1/apps/{appId}/relationships/appStoreVersions']],
    exit: [0, 0],
  },
  {
    name: 'a filter takes one value',
    change: (doc) => {
      parameter(doc, feedback, 'filter[tester]')['schema'] = { type: 'string' }
    },
    finds: [['parameter-changed', 'break', 5, 'filter[tester]', undefined, 'one string']],
    exit: broken,
  },
  {
    name: 'a list goes as a parameter for each value',
    change: (doc) => {
      parameter(doc, feedback, 'filter[devicePlatform]')['explode'] = true
      delete parameter(doc, '/v1/apps', 'sort')['explode']
    },
    finds: [
      ['parameter-changed', 'break', 1, 'sort', undefined, 'list with a parameter for each value'],
      ['parameter-changed', 'break', 5, 'filter[devicePlatform]', undefined, 'list with a parameter for each value'],
    ],
    exit: broken,
  },
  {
    name: 'a list goes with bars between its values',
    change: (doc) => {
      parameter(doc, feedback, 'filter[tester]')['style'] = 'pipeDelimited'
    },
    finds: [['parameter-changed', 'break', 5, 'filter[tester]', undefined, 'list in the style "pipeDelimited"']],
    exit: broken,
  },
  {
    name: 'a filter takes numbers',
    change: (doc) => {
      parameter(doc, feedback, 'filter[tester]')['schema'].items.type = 'integer'
    },
    finds: [['parameter-changed', 'break', 5, 'filter[tester]', undefined, 'list of integer']],
    exit: broken,
  },
  {
    name: 'an open filter gets a list',
    change: (doc) => {
      parameter(doc, feedback, 'filter[tester]')['schema'].items.enum = ['A', 'B']
    },
    finds: [['value-gone', 'break', 5, 'filter[tester]', 'any', 'A, B']],
    exit: broken,
  },
  {
    name: 'a filter becomes open',
    change: (doc) => delete parameter(doc, feedback, 'filter[devicePlatform]')['schema'].items.enum,
    finds: [['value-new', 'addition', 5, 'filter[devicePlatform]', undefined, 'any']],
    exit: added,
  },
  {
    name: 'a list does not say any more whether it goes on',
    change: (doc) => {
      delete at(doc, feedback)['responses'][200].content['application/json'].schema.properties.links.properties.next
    },
    finds: [['answer-changed', 'break', 5, 'links.next', 'string', 'none']],
    exit: broken,
  },
  {
    name: 'ids are numbers',
    change: (doc) => {
      doc['components'].schemas.listAppVersionIds.properties.id.type = 'integer'
    },
    finds: [['id-type-changed', 'break', 26, 'data.id', 'string', 'integer']],
    exit: broken,
  },
  {
    name: 'ids of a relationship are numbers',
    change: (doc) => {
      relationships(doc, nomination)['createdByActor'].properties.data.properties.id.type = 'integer'
    },
    finds: [['relationship-changed', 'break', 16, 'createdByActor', 'actors', 'no single resource']],
    exit: broken,
  },
  {
    name: 'what a locale is looked up in has none any more',
    change: (doc) => {
      delete attributes(doc, 'listProductPageLocalizations')['locale']
    },
    finds: [
      ...[7, 18, 22].map((route) => ['answer-changed', 'break', route, 'lookup.locale', 'string', 'none'] as const),
      ['attribute-gone', 'break', 40, 'locale'],
    ],
    exit: broken,
  },
  {
    name: 'the list that proves a membership holds something else',
    change: (doc) => {
      answer(doc, '/v1/apps/{id}/relationships/appInfos')['properties'].data.items.properties.type.enum = ['infos']
    },
    finds: [['id-type-changed', 'break', 12, 'lookup.data.type', 'appInfos', 'infos']],
    exit: broken,
  },
  {
    name: 'the list that proves a membership does not say whether it goes on, and is CSV',
    change: (doc) => {
      delete answer(doc, pages)['properties'].links
      at(doc, '/v1/apps/{id}/relationships/appInfos')['responses'][200].content = { 'text/csv': {} }
    },
    finds: [
      ['answer-changed', 'break', 7, 'lookup.links.next', 'string', 'none'],
      ['answer-changed', 'break', 12, 'lookup.answer', 'application/json', 'none'],
      ['answer-changed', 'break', 18, 'lookup.links.next', 'string', 'none'],
      ['answer-changed', 'break', 22, 'lookup.links.next', 'string', 'none'],
      ['answer-changed', 'break', 40, 'links.next', 'string', 'none'],
    ],
    exit: broken,
  },
  {
    name: 'what differed on purpose goes, and is told once',
    change: (doc) => delete attributes(doc, 'getEvent')['deepLink'],
    finds: [['attribute-gone', 'break', 3, 'deepLink']],
    exit: broken,
  },
  {
    name: 'what the doctor tries goes',
    isOfContract: true,
    change: (doc) => delete doc['paths']['/v1/apps/{id}/customerReviews'],
    finds: [['endpoint-absent', 'break', 'reviews', '/v1/apps/{appId}/customerReviews']],
    exit: broken,
  },
  {
    name: 'what the doctor tries wants a parameter, loses a field, and is CSV',
    isOfContract: true,
    change: (doc) => {
      at(doc, '/v1/apps/{id}/buildUploads')['parameters'].push({ name: 'team', in: 'query', required: true })
      parameter(doc, '/v1/apps/{id}/appEvents', 'fields[appEvents]')['schema'].items.enum = ['other']
      at(doc, '/v1/appEncryptionDeclarations')['responses'][200].content = { 'text/csv': {} }
      at(doc, '/v1/appEncryptionDeclarations')['deprecated'] = true
    },
    finds: [
      ['parameter-required', 'break', 'builds', 'team'],
      ['value-gone', 'break', 'marketing', 'fields[appEvents]', 'badge'],
      ['answer-changed', 'break', 'legacy', 'answer', 'application/json', 'none'],
    ],
    exit: broken,
  },
  {
    name: 'what the doctor tries is deprecated',
    isOfContract: true,
    change: (doc) => {
      at(doc, '/v1/apps/{id}/customerReviews')['deprecated'] = true
    },
    finds: [['endpoint-deprecated', 'change', 'reviews', '/v1/apps/{appId}/customerReviews']],
    exit: changed,
  },
  {
    name: 'what the doctor tries offers more than it asks for',
    isOfContract: true,
    change: (doc) => {
      at(doc, '/v1/apps/{id}/customerReviews')['parameters'].push({ name: 'filter[rating]', in: 'query' })
      const { schema } = parameter(doc, '/v1/apps/{id}/appEvents', 'fields[appEvents]')
      schema.items.enum.push('more')
    },
    finds: [],
    exit: [0, 0],
  },
  {
    name: 'a refusal that we do not read is added',
    change: (doc) => {
      at(doc, reviews)['responses'][418] = { description: 'A teapot.' }
    },
    finds: [['operation-changed', 'note', 28, '/v1/customerReviewResponses/{responseId}']],
    exit: [0, 0],
  },
]
