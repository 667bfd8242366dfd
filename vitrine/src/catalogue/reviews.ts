// Responses to customer reviews.
import { dateTime, known, one, resource, stamp, text, to } from './define.ts'

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
