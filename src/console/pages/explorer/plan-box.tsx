// What a read would ask of the platform, before it does.
import { Button } from '../../parts/button.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { askPlan, type Question } from './asking.ts'
import { Target } from './target.tsx'
import { targetOf } from './draft.ts'
import type { Planned } from './desk.ts'

function Steps({ plan }: { readonly plan: NonNullable<Planned['plan']> }) {
  return (
    <ol>
      {plan.steps.map(({ purpose, get, query, accept, looksFor }, i) => (
        <li key={i}>
          <p>
            To {purpose}, <span class="soft">as {accept}</span>
            {looksFor !== undefined && (
              <>
                . It looks for{' '}
                <code>
                  <Foreign text={looksFor} />
                </code>
              </>
            )}
          </p>
          <Target path={get} query={Object.entries(query)} />
        </li>
      ))}
    </ol>
  )
}

export function PlanBox({ question }: { readonly question: Question }) {
  const { form, connection, desk } = question
  const planned = desk.planned.value
  if (!planned || planned.connection !== connection) return null
  const isOld = planned.target !== targetOf(form, desk.draft.value)
  return (
    <section class="card explorer-asked" aria-label="Plan">
      <div class="explorer-head">
        <h2>What will be asked</h2>
        {isOld && <span class="soft">The form has changed since.</span>}
        <Button kind="quiet" onClick={() => (desk.planned.value = undefined)}>
          Close
        </Button>
      </div>
      {planned.plan ? (
        <Steps plan={planned.plan} />
      ) : planned.refusal ? (
        <Failed what="It would be refused." refusal={planned.refusal} again={() => void askPlan(question)} />
      ) : (
        <Waiting what="the plan" />
      )}
      {planned.plan && (
        <p class="hint">Nothing has been asked of the platform for this. A remembered answer needs none of it.</p>
      )}
    </section>
  )
}
