// A path and its query at the platform, to be read line by line.
import { Foreign } from '../../parts/foreign.tsx'

/** path and query, a parameter a line */
export function Target({
  path,
  query,
}: {
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
}) {
  return (
    <>
      <p class="explorer-target mono">
        GET <Foreign text={path} />
      </p>
      {query.length > 0 && (
        <dl class="facts explorer-query mono">
          {query.map(([name, value], i) => (
            <div key={i}>
              <dt>
                <Foreign text={name} />
              </dt>
              <dd>
                {value.split(/(?<=,)/).map((part, at) => (
                  <span key={at}>
                    <Foreign text={part} />
                    <wbr />
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
