// Customer reviews, which hold the names and words of customers, and the responses to them.
import { any, dateTime, exists, integer, known, listed, one, page, personal } from './define.ts'
import { resource, stamp, text, to, words } from './define.ts'
import { territories } from './territories.ts'

const customerReviewResponse = resource({
  name: 'CustomerReviewResponse',
  type: 'customerReviewResponses',
  attributes: {
    responseBody: text('The text of the response.'),
    lastModifiedDate: dateTime('When it last changed.'),
    state: known(['PUBLISHED', 'PENDING_PUBLISH'], 'Whether customers see it.'),
  },
  links: { reviewId: to('review', 'customerReviews', 'rating', 'Review it responds to.') },
})

export const getCustomerReviewResponse = one({
  path: '/customer-review-responses/{responseId}',
  group: 'reviews',
  summary: 'Read the response to a customer review',
  from: { read: '/v1/customerReviewResponses/{responseId}' },
  returns: customerReviewResponse,
  reviewed: stamp('4.4.1', '2026-11-21', '10b67ec74e07a299'),
  example: '/customer-review-responses/00000028-b08c-4014-829e-0c0000000028',
})

const customerReview = resource({
  name: 'CustomerReview',
  type: 'customerReviews',
  by: 'end-user',
  attributes: {
    rating: integer('Stars, from 1 to 5.'),
    title: words('Title of the review.'),
    body: words('Text of the review.'),
    reviewerNickname: personal(words('Name that the customer goes by.')),
    createdDate: dateTime('When it was written.'),
    territory: known(territories, 'Territory, by three-letter code.'),
  },
  links: {
    responseId: to('response', 'customerReviewResponses', 'state', 'Response to it.'),
    reviewTerritoryId: to('reviewTerritory', 'territories', 'currency', 'Territory, by its three-letter code.'),
  },
})

export const listCustomerReviews = page({
  path: '/apps/{appId}/customer-reviews',
  group: 'reviews',
  summary: 'List the customer reviews of an app',
  from: { read: '/v1/apps/{appId}/customerReviews' },
  neverCached: 'names and words of customers',
  filters: {
    territory: listed(territories, 'Only from these territories, by three-letter code.'),
    rating: any('Only with these numbers of stars.'),
    reviewTerritory: any('Only from these territories, by id.'),
    hasPublishedResponse: exists('Whether a response is published.', 'publishedResponse'),
  },
  sort: ['rating', 'createdDate'],
  asks: ['responseId'],
  returns: customerReview,
  reviewed: stamp('4.4.1', '2026-11-22', '7899da2c96bf01b1'),
  example: '/apps/6446998001/customer-reviews?limit=2&sort=-createdDate',
})
