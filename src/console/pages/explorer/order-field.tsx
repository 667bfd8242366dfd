// The field of an ordering: for each key whether it counts, in which direction, and after which others.
import { useId } from 'preact/hooks'
import { Prose } from '../../parts/prose.tsx'
import { chosenIn, type ParameterFieldProps } from './field-props.ts'
import { keysOf } from './forms.ts'

export function OrderField({ parameter, value, fault, onInput }: ParameterFieldProps) {
  const id = useId()
  const chosen = chosenIn(value)
  const choose = (key: string, now: string) => {
    const at = chosen.findIndex((one) => one.replace(/^-/, '') === key)
    const others = chosen.filter((_, i) => i !== at)
    // one that only turns around keeps its place
    const next = now === '' ? others : at < 0 ? [...chosen, now] : chosen.with(at, now)
    onInput(next.join(','))
  }
  return (
    <fieldset class="explorer-order" aria-describedby={`${id}-said`} aria-invalid={fault ? true : undefined}>
      <legend>{parameter.name}</legend>
      {(keysOf(parameter) ?? []).map((key) => {
        const at = chosen.findIndex((one) => one.replace(/^-/, '') === key)
        return (
          <label key={key}>
            <span class="mono">{key}</span>
            <select value={chosen[at] ?? ''} onChange={(event) => choose(key, event.currentTarget.value)}>
              {[
                ['', 'not used'],
                [key, 'ascending'],
                [`-${key}`, 'descending'],
              ].map(([one, words]) => (
                <option key={one} value={one} selected={one === (chosen[at] ?? '')}>
                  {words}
                </option>
              ))}
            </select>
            <span class="soft number" aria-hidden="true">
              {at >= 0 && chosen.length > 1 ? `${at + 1}.` : ''}
            </span>
          </label>
        )
      })}
      <p id={`${id}-said`} class={fault ? 'fault' : 'hint'} aria-live="polite">
        {fault ?? <Prose text={parameter.description} />}
        {!fault && chosen.length > 1 && ` First by ${chosen.join(', then by ')}.`}
      </p>
    </fieldset>
  )
}
