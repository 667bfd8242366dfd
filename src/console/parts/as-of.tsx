// Says how old what is shown is, where it could not be asked anew.
import { timeOfDay, wholeMoment } from '../moments.ts'

export function AsOf({ iso, children = 'trying again' }: { readonly iso: string; readonly children?: string }) {
  return (
    <p class="as-of">
      As of{' '}
      <time dateTime={iso} title={wholeMoment(iso)}>
        {timeOfDay(iso)}
      </time>
      , {children}.
    </p>
  )
}
