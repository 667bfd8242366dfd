// The OpenAPI description of this service, and the name of its cookie.
import { describeApi } from './api/openapi.ts'
import { product } from './product.ts'
import { answerSchemas } from './routes/answer-schemas.ts'
import { routes, tags } from './routes/index.ts'
import type { Settings } from './settings.ts'

export const cookieNameOf = ({ publicUrl }: Settings): string =>
  publicUrl.startsWith('https:') ? '__Host-atelier_session' : 'atelier_session'

export const descriptionOf = (settings: Settings): object =>
  describeApi({
    title: product.title,
    version: product.version,
    about: 'Short-lived Linux containers over HTTP.',
    publicUrl: settings.publicUrl,
    cookieName: cookieNameOf(settings),
    tags,
    routes,
    schemas: answerSchemas,
  })
