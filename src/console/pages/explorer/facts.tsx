// One resource, a line for each field: what is told of it, in the order of the form; null and absent are two things.
import type { Desk } from './desk.ts'
import { chosenIn } from './field-props.ts'
import { type FieldForm, fieldsOf, type Form } from './forms.ts'
import type { Members } from './json.ts'
import { PictureList } from './picture.tsx'
import { picturesIn } from './pictures.ts'
import { WholeValue } from './value.tsx'

interface FactsProps {
  readonly form: Form
  readonly item: Members
  readonly desk: Desk
}

/** what might have come: where fields were chosen, no others are missed */
function expected(form: Form, desk: Desk): readonly string[] {
  const parameter = fieldsOf(form)
  const chosen = chosenIn((parameter && desk.run.value?.draft.query[parameter.name]) ?? '')
  return chosen.length > 0 ? chosen : form.fields.map(({ name }) => name)
}

function Fact({
  field,
  name,
  item,
  desk,
}: FactsProps & { readonly field: FieldForm | undefined; readonly name: string }) {
  const value = item.get(name)
  return (
    <>
      <dt title={field && `${field.description} (${field.type})`}>{name}</dt>
      <dd>
        {field?.image && picturesIn(value).length > 0 && <PictureList {...{ value, name, desk }} />}
        {!(field?.image && picturesIn(value).length > 0) && <WholeValue value={value} />}
      </dd>
    </>
  )
}

export function Facts({ form, item, desk }: FactsProps) {
  const names = new Set([
    ...(item.get('id') === undefined ? [] : ['id']),
    ...expected(form, desk),
    ...item.entries.map(([name]) => name),
  ])
  return (
    <dl class="facts explorer-facts">
      {[...names].map((name) => (
        <Fact key={name} {...{ form, item, desk, name, field: form.fields.find((one) => one.name === name) }} />
      ))}
    </dl>
  )
}
