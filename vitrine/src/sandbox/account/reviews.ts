// Customer reviews and their responses.
import { flagshipId } from './apps.ts'
import { sampleInstant, pick, row } from './rows.ts'

const reviewIds = ['00000028-b08c-0014-729e-fbd500000000', '00000028-b08c-0014-729e-fbd500000001'] as const
const unanswered = '00000028-b08c-0014-729e-fbd500000002'
const responseIds = ['00000028-b08c-4014-829e-0c0000000028', '00000028-b08c-4014-829e-0c0000000029'] as const

const reviewRows = reviewIds.map((id, index) =>
  row('customerReviews', id, {
    rating: index === 0 ? 4 : 1,
    title: pick(['Nearly perfect', 'ひどい'], index),
    body: pick(['I sail by it. Please add moon phases! 🌙', '起動しません。'], index),
    reviewerNickname: pick(['saltyharbour', 'umi_no_hito'], index),
    createdDate: sampleInstant(1000 + index, 'pacific'),
    territory: pick(['USA', 'JPN'], index),
    response: responseIds[index] ?? null,
    reviewTerritory: pick(['USA', 'JPN'], index),
    publishedResponse: index === 0 ? responseIds[0] : null,
    app: flagshipId,
  }),
)

const unansweredRows = [
  row('customerReviews', unanswered, {
    rating: 5,
    title: 'Genau richtig',
    body: 'Die Karte stimmt auf den Zentimeter.',
    reviewerNickname: 'nordlicht_hh',
    createdDate: sampleInstant(1002, 'pacific'),
    territory: 'DEU',
    reviewTerritory: 'DEU',
    app: flagshipId,
  }),
]

const reviewResponseRows = responseIds.map((id, index) =>
  row('customerReviewResponses', id, {
    responseBody: pick(
      ['Thank you! Moon phases arrive with 3.1. — Ingrid, Northlight', '申し訳ございません。🙇'],
      index,
    ),
    lastModifiedDate: sampleInstant(1050 + index, 'pacific'),
    state: pick(['PUBLISHED', 'PENDING_PUBLISH'], index),
    review: reviewIds[index] ?? null,
  }),
)

export const rows = [...reviewRows, ...unansweredRows, ...reviewResponseRows]
