// The platform calls that a request would make.
import type { Plan } from '../../answers.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { targetOf } from './request-draft.ts'
import { askPlan } from './send.ts'
import { Target } from './target.tsx'
import type { ExplorerRequest } from './workbench-state.ts'

function Steps({ plan: { steps } }: { readonly plan: Plan }) {
  return (
    <>
      <ol>
        {steps.map(({ purpose, get, query, accept, looksFor }, i) => (
          <li key={i}>
            <p>
              To {purpose}, <span class="soft">as {accept}</span>
              {looksFor !== undefined && (
                <>
                  . Looks for{' '}
                  <code>
                    <UntrustedText text={looksFor} />
                  </code>
                </>
              )}
            </p>
            <Target path={get} query={Object.entries(query)} />
          </li>
        ))}
      </ol>
      <p class="hint">No platform calls were made for this plan. A cached response needs none of them.</p>
    </>
  )
}

export function PlanBox({ request }: { readonly request: ExplorerRequest }) {
  const { form, connection, workbench } = request
  const state = workbench.plan.value
  if (!state || state.connection !== connection) return null
  const { plan, refusal, target } = state
  return (
    <section class="card explorer-requests" aria-label="Plan">
      <div class="explorer-head">
        <h2>Plan</h2>
        {target !== targetOf(form, workbench.draft.value) && <span class="soft">The form has changed since.</span>}
        <Button kind="quiet" onClick={() => (workbench.plan.value = undefined)}>
          Close
        </Button>
      </div>
      {plan && <Steps plan={plan} />}
      {refusal && (
        <Failed what="This request would be rejected." refusal={refusal} again={() => void askPlan(request)} />
      )}
      {!plan && !refusal && <Waiting what="the plan" />}
    </section>
  )
}
