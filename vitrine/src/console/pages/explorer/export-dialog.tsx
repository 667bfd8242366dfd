// Downloads the rows of a list: those shown, or all of them once the pages that are left were read. What could not be read whole is
// not saved as if it were.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted } from '../../../../../base/console/format.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Dialog } from '../../../../../base/console/parts/dialog.tsx'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { type ExportFormat, exportFormats, rowsIn, saveFile } from './export-file.ts'
import type { ResultProps } from './result.tsx'
import { countText, hasMore, isWhole } from './row-count.ts'
import { cancel, sendRest } from './send.ts'

interface ExportDialogProps extends ResultProps {
  readonly onClose: () => void
}

export default function ExportDialog({ request, run, onClose }: ExportDialogProps) {
  const { form, workbench } = request
  const format = useSignal<ExportFormat>('csv')
  const isReading = useSignal(false)
  const rows = rowsIn(run).length
  const isMore = hasMore(run)
  const failure = workbench.failure.value
  useEffect(() => () => void (isReading.peek() && cancel(workbench)), [])
  const save = () => {
    const now = workbench.run.peek()
    if (now) saveFile(form, now, format.peek())
    onClose()
  }
  const saveAll = async () => {
    isReading.value = true
    const isDone = await sendRest(request)
    isReading.value = false
    if (isDone) save()
  }
  return (
    <Dialog title="Download rows" onClose={onClose}>
      <form class="form" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField
          label="Format"
          value={format.value}
          choices={exportFormats}
          hint={
            format.value === 'csv'
              ? 'One line for each row. Text that a spreadsheet would run as a formula begins with an apostrophe.'
              : 'The rows as the API returns them, with all their digits.'
          }
          onChoose={(chosen) => (format.value = chosen)}
        />
        <p role="status">
          {isReading.value
            ? `Reading page ${run.pages.length + 1}. ${counted(rows, 'row')} so far.`
            : countText(form, run)}
        </p>
        {!isReading.value && failure?.turn === 'next' && (
          <Failed what="Not all pages could be read. Nothing was downloaded." refusal={failure.refusal} />
        )}
        {!isWhole(form, run) && (
          <p class="hint">
            {isMore
              ? '“Download all pages” makes a platform call for each page that is left. A file of the shown rows alone has “part” in its name.'
              : 'Rows before the cursor are not included, so the file has “part” in its name.'}
          </p>
        )}
        <div class="actions">
          {isMore && (
            <Button kind="main" busy={isReading.value} onClick={() => void saveAll()}>
              {failure?.turn === 'next' ? 'Read the rest and download' : 'Download all pages'}
            </Button>
          )}
          <Button kind={isMore ? 'plain' : 'main'} off={isReading.value} onClick={save}>
            {isMore ? `Download ${counted(rows, 'row')} shown` : `Download ${counted(rows, 'row')}`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
