// The rarer options of a new container.
import { Checkbox, ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { TextArea } from '../../text-area.tsx'
import type { ContainerForm } from './container-draft.ts'

const networks = { none: 'None', egress: 'Outgoing connections' } as const

function Texts({ draft, faults, change }: ContainerForm) {
  return (
    <>
      <TextArea
        label="Command"
        optional
        hint="One argument on each line; no shell is added. Its end ends the container. Empty: the container waits for commands."
        value={draft.command}
        fault={faults['command']}
        onInput={(command) => change({ command })}
      />
      <div class="pair">
        <TextArea
          label="Environment"
          optional
          hint="NAME=value on each line. The values are not shown again."
          value={draft.env}
          fault={faults['env']}
          onInput={(env) => change({ env })}
        />
        <TextArea
          label="Labels"
          optional
          hint="name=value on each line."
          value={draft.labels}
          fault={faults['labels']}
          onInput={(labels) => change({ labels })}
        />
      </div>
    </>
  )
}

export function MoreOptions(form: ContainerForm) {
  const { draft, faults, change } = form
  return (
    <div class="form containers-more">
      <Texts {...form} />
      <div class="pair">
        <TextField
          label="Working directory"
          optional
          hint="Empty: that of the image."
          value={draft.workingDir}
          fault={faults['workingDir']}
          onInput={(workingDir) => change({ workingDir })}
        />
        <TextField
          label="User"
          optional
          hint="uid or uid:gid, each up to 1023."
          value={draft.user}
          fault={faults['user']}
          onInput={(user) => change({ user })}
        />
      </div>
      <div class="pair">
        <TextField
          label="Processes"
          kind="number"
          hint="16 to 1024."
          value={draft.pids}
          fault={faults['limits.pids']}
          onInput={(pids) => change({ pids })}
        />
        <TextField
          label="Disk (MiB)"
          kind="number"
          hint="64 to 10240."
          value={draft.diskMiB}
          fault={faults['limits.diskMiB']}
          onInput={(diskMiB) => change({ diskMiB })}
        />
      </div>
      <ChoiceField
        label="Network"
        hint="Outgoing connections work only where the operator allows them."
        value={draft.network}
        fault={faults['network']}
        choices={networks}
        onChoose={(network) => change({ network })}
      />
      <Checkbox
        label="Read-only: only the working directory and /tmp can be written"
        checked={draft.readOnlyRootfs}
        onChange={(readOnlyRootfs) => change({ readOnlyRootfs })}
      />
    </div>
  )
}
