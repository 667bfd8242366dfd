// The script that kills a command from inside its container. It forks nothing, since a container may have no free process:
// it reads /proc with what every shell has built in. First it stops what it finds, so that nothing can fork away from it. The
// container's own processes have the mark `init` and began with it; others with that mark have forged it.

const idLength = 'ex_'.length + 26

/**
 * Arguments: the mark of what is killed (`-`: every mark that is not spared), how many processes besides the first one are the
 * container's own (`-`: any number, and those without a mark do not count), and the marks to spare. Prints `gone` when nothing is
 * left, and other marks that it found. `read` drops NUL, so the next variable follows a mark at once.
 */
export const killScript = `
target=$1 most_own=$2
shift 2
spared=" $* "
read_mark() {
  mark=
  while read -r line || [ -n "$line" ]; do
    case $line in
      *ATELIER_EXEC=$target*) mark=$target; return ;;
      *ATELIER_EXEC=*)
        mark=\${line##*ATELIER_EXEC=}
        rest=\${mark#${'?'.repeat(idLength)}}
        [ "$rest" = "$mark" ] || mark=\${mark%"$rest"}
        ;;
    esac
  done <"$1/environ"
}
read_stat() {
  state= started=0
  read -r line <"$1/stat" || return
  set -- \${line##*) }
  state=$1
  shift 19
  started=$1
}
read_stat /proc/1
first=$started
signal=STOP clean=0 pass=0
while [ $clean -lt 2 ] && [ $pass -lt 300 ]; do
  pass=$((pass + 1)) found=0 unknown=0 own=0 marks=
  for dir in /proc/[0-9]*; do
    pid=\${dir#/proc/}
    [ "$pid" = 1 ] || [ "$pid" = $$ ] || ! [ -r "$dir/environ" ] && continue
    read_mark "$dir"
    read_stat "$dir"
    case $state in Z | X | '') continue ;; esac
    case $mark in init*) [ "$pid" -lt 32 ] && [ $((started - first)) -lt 200 ] && own=$((own + 1)) && continue ;; esac
    case $spared in *" $mark "*) [ -n "$mark" ] && continue ;; esac
    if [ "$mark" = "$target" ] || { [ "$target" = - ] && [ -n "$mark" ]; }; then
      [ $signal$state = STOPT ] && continue
      kill -$signal "$pid" && found=$((found + 1))
    else
      case $mark in
        ex_*) case "$marks " in *" $mark "*) ;; *) marks="$marks $mark" ;; esac ;;
        *) unknown=$((unknown + 1)) ;;
      esac
    fi
  done 2>/dev/null
  if [ $found != 0 ]; then clean=0
  elif [ $signal = STOP ]; then signal=KILL
  else clean=$((clean + 1)); fi
  [ $pass = 100 ] && signal=KILL
done
[ "$most_own" = - ] && unknown=0 own=0 most_own=0 marks=
[ $clean = 2 ] && [ $unknown = 0 ] && [ $own -le "$most_own" ] && echo "gone$marks"
exit 0
`
