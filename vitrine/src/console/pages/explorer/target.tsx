// A path and its query at the platform, one parameter per line.
import { Fact, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import type { TargetLines } from './read-answer.ts'

/** a long list breaks after its commas */
const Value = ({ text }: { readonly text: string }) =>
  text.split(/(?<=,)/).map((part, i) => (
    <span key={i}>
      <UntrustedText text={part} />
      <wbr />
    </span>
  ))

export function Target({ path, query }: TargetLines) {
  return (
    <>
      <p class="explorer-target mono">
        GET <UntrustedText text={path} />
      </p>
      {query.length > 0 && (
        <dl class="facts explorer-query mono">
          {query.map(([name, value], i) => (
            <Fact key={i} name={<UntrustedText text={name} />}>
              <Value text={value} />
            </Fact>
          ))}
        </dl>
      )}
    </>
  )
}
