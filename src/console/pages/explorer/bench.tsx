// One operation on the bench: its form on one side; what came, and how else one may ask, on the other.
import { Prose } from '../../parts/prose.tsx'
import { Answer } from './answer.tsx'
import type { Question } from './asking.ts'
import type { Form } from './forms.ts'
import { Lines } from './lines-box.tsx'
import { PlanBox } from './plan-box.tsx'
import { RequestForm } from './request-form.tsx'

interface BenchProps extends Question {
  /** all of them: an id may be picked from the list of another */
  readonly forms: readonly Form[]
}

export function Bench({ forms, ...question }: BenchProps) {
  const { form } = question
  return (
    <>
      <p class="explorer-about">
        <strong>{form.summary}.</strong> {form.description && <Prose text={`${form.description} `} />}
        <code>GET …{form.path}</code>
      </p>
      <div class="explorer-bench">
        <RequestForm forms={forms} question={question} />
        <div class="explorer-side">
          <PlanBox question={question} />
          <Answer question={question} />
          <Lines question={question} />
        </div>
      </div>
    </>
  )
}
