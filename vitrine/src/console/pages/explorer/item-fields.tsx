// One resource, a line per field, in the order of the form; null and absent are different.
import { Fact } from '../../../../../base/console/parts/display.tsx'
import type { Members } from './exact-json.ts'
import { chosenIn, fieldsOf, type Form } from './operation-form.ts'
import { PictureList } from './picture.tsx'
import { picturesIn } from './pictures.ts'
import { WholeValue } from './value.tsx'
import type { WorkbenchState } from './workbench-state.ts'

interface ItemFieldsProps {
  readonly form: Form
  readonly item: Members
  readonly workbench: WorkbenchState
}

/** the fields that the response could have: where some were selected, only those */
function expectedFields(form: Form, { run }: WorkbenchState): readonly string[] {
  const parameter = fieldsOf(form)
  const chosen = chosenIn((parameter && run.value?.draft.query[parameter.name]) ?? '')
  return chosen.length > 0 ? chosen : form.fields.map(({ name }) => name)
}

export function ItemFields({ form, item, workbench }: ItemFieldsProps) {
  const names = new Set([
    ...(item.get('id') === undefined ? [] : ['id']),
    ...expectedFields(form, workbench),
    ...item.entries.map(([name]) => name),
  ])
  return (
    <dl class="facts explorer-facts">
      {[...names].map((name) => {
        const field = form.fields.find((one) => one.name === name)
        const value = item.get(name)
        const isPicture = field?.image && picturesIn(value).length > 0
        return (
          <Fact key={name} name={name} title={field && `${field.description} (${field.type})`}>
            {isPicture ? <PictureList value={value} name={name} workbench={workbench} /> : <WholeValue value={value} />}
          </Fact>
        )
      })}
    </dl>
  )
}
