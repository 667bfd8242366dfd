// Without a master key nothing can be sealed: said before anybody types, with what to do.

export function ClosedVault() {
  return (
    <div class="connections-closed">
      <p>
        This service has no master key, so it can seal no credential. Connections in the settings file work without one.
        To host them here:
      </p>
      <ol>
        <li>
          Make one: <code>vitrine vault new-key --id k1 &gt; master-keys.txt</code>, and keep a copy in a safe place.
        </li>
        <li>
          Name the file in the settings: <code>&quot;masterKeysFile&quot;: &quot;master-keys.txt&quot;</code>.
        </li>
        <li>Start Vitrine again, and load this page again.</li>
      </ol>
    </div>
  )
}
