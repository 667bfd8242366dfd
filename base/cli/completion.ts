// Completion scripts for shells, which ask the installed program for the candidates.

const bash = (name: string): string => `# Completion of ${name} in bash. Load it with: source <(${name} completion bash)
_${name}() {
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
complete -F _${name} ${name}
`

const zsh = (name: string): string => `#compdef ${name}
# Completion of ${name} in zsh. Load it behind compinit with: source <(${name} completion zsh)
_${name}() {
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
    :open) compadd -V ${name} -S '' -l -d shown -a -- names ;;
    *) compadd -V ${name} -l -d shown -a -- names ;;
  esac
}
compdef _${name} ${name}
`

const fish = (name: string): string => `# Completion of ${name} in fish. Load it with: ${name} completion fish | source
function __${name}_complete
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
complete -c ${name} -f -a '(__${name}_complete)'
`

const scripts: Readonly<Record<string, (name: string) => string>> = { bash, zsh, fish }

export const shells = Object.keys(scripts)

export const completionScript = (shell: string, name: string): string | undefined =>
  Object.hasOwn(scripts, shell) ? scripts[shell]?.(name) : undefined
