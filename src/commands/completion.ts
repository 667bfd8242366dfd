// `vitrine completion <shell>`: a script that asks the program itself what may stand at the cursor (complete.ts), so that it
// knows every command and route of the version that is installed.
import { didYouMean, nearestOf } from '../engine/nearest.ts'
import { Misuse } from './read/exits.ts'

const bash = `# Completion of vitrine in bash. Load it with: source <(vitrine completion bash)
_vitrine() {
  local line kind=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) kind=$line ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]/#\\~\\//$HOME/}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in
    :file) compopt -o default 2>/dev/null ;;
    :open) compopt -o nospace 2>/dev/null ;;
  esac
  return 0
}
complete -F _vitrine vitrine
`

const zsh = `#compdef vitrine
# Completion of vitrine in zsh. Load it behind compinit with: source <(vitrine completion zsh)
_vitrine() {
  local line kind
  local -a names shown
  for line in "\${(@f)$("$words[1]" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :*) kind=$line ;;
      *)
        names+=("\${line%%$'\\t'*}")
        shown+=("\${\${line/$'\\t'/  }%%[[:space:]]#}")
        ;;
    esac
  done
  case $kind in
    :file) _files ;;
    :open) compadd -V vitrine -S '' -l -d shown -a -- names ;;
    *) compadd -V vitrine -l -d shown -a -- names ;;
  esac
}
compdef _vitrine vitrine
`

const fish = `# Completion of vitrine in fish. Load it with: vitrine completion fish | source
function __vitrine_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l program $words[1]
  set -e words[1]
  for line in ($program complete -- $words "$current" 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path "$current"
      case ':*'
      case '*'
        echo $line
    end
  end
end
complete -c vitrine -f -a '(__vitrine_complete)'
`

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish }

export const shells = Object.keys(scripts)

export function completion(shell: string) {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined) {
    const hint = didYouMean(nearestOf(shell, shells))
    throw new Misuse(`completion knows ${shells.join(', ')}.${hint} For example: source <(vitrine completion bash)`)
  }
  process.stdout.write(script)
}
