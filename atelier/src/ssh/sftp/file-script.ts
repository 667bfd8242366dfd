// The script that serves the requests of one SFTP channel inside its container, as its user: a command like any other, so it
// is limited, and killed, like any other. It reads one request after another from its input. What a caller names is read as
// data, and only ever handed on as one argument in quotes: no text of a caller becomes part of a script.
import { engineMounts, reservedFolders } from '../../files/paths.ts'

/** what is read ahead starts at a multiple of this */
export const blockBytes = 262_144

const atOrBelow = reservedFolders.flatMap((name) => [`/${name}`, `/${name}/*`]).join(' | ')
const mounts = [...engineMounts].join(' | ')
const tools = 'stat dd head cat mkdir rmdir rm mv ln chmod touch readlink'
const shown = '%f %s %u %g %X %Y'

/**
 * A request is a line of a word, the lines of its folder and of its name, and up to four values of the service; then the folder
 * and the name. An answer ends in NUL: `ok` with what was asked for, or `no` with a reason, which after `error` is in the words
 * of a tool. Each request enters the folder, so that it cannot be moved under it, and names a file in it.
 */
export const fileScript = `
exec 2>/dev/null
unset CDPATH
umask 022
IFS=' '
PATH=$PATH:/bin:/usr/bin
TZ=UTC0 LC_ALL=C
export PATH TZ LC_ALL
line_end='
'
take() {
  text=
  IFS= read -r text || exit 0
  left=$1
  while [ "$left" -gt 1 ]; do
    IFS= read -r line || exit 0
    text=$text$line_end$line left=$((left - 1))
  done
}
fail() { out=$1; return 1; }
enter() {
  cd -P -- "$1" || {
    if [ -d "$1" ]; then fail denied
    elif [ -e "$1" ]; then fail not_directory
    else fail no_parent; fi
    return 1
  }
  case $PWD in ${atOrBelow}) fail reserved ;; esac
}
not_mount() { case $PWD/$name in ${mounts}) fail mount ;; esac; }
present() { [ -e "./$name" ] || [ -L "./$name" ] || fail absent; }
absent() { if [ -e "./$name" ] || [ -L "./$name" ]; then fail exists; fi; }
no_link() { if [ -L "./$name" ]; then fail link; fi; }
try() {
  out=$("$@" 2>&1 </dev/null) || fail "error $out"
}
leads() {
  [ -L "./$name" ] || return 0
  target=$(readlink -f "./$name" && printf x) || fail absent || return 1
  case \${target%x} in ${atOrBelow}) fail reserved ;; esac
}
same() {
  no_link || return 1
  [ "$(stat -c %d:%i "./$name")" = "$1" ] || fail changed
}
show() { present && try stat "$@" -c '${shown} %d:%i' "./$name"; }
look() {
  enter "$folder" || return 1
  if [ "$a" = follow ]; then leads && show -L; else show; fi
}
list() {
  enter "$folder" || return 1
  [ -r . ] || fail denied || return 1
  set -- .* *
  [ $# -le $((a + 2)) ] || fail many || return 1
  printf 'ok '
  count=0
  for name do
    [ $count != 0 ] || set --
    case $name in . | .. ) continue ;; '*' | '.*') present || continue ;; esac
    set -- "$@" "./$name"
    count=$((count + 1))
    [ $count = 100 ] && { stat -c '${shown} %n//' "$@"; count=0; }
  done
  [ $count = 0 ] || stat -c '${shown} %n//' "$@"
  printf '\\0'
}
open_old() {
  case $a in *x*) fail exists; return 1 ;; esac
  [ -d "./$name" ] && { fail directory; return 1; }
  [ -f "./$name" ] || fail not_regular || return 1
  case $a in *r*) out=$({ true <"./$name"; } 2>&1) || fail "error $out" || return 1 ;; esac
  case $a in
    *t*) out=$({ true >"./$name"; } 2>&1) || fail "error $out" ;;
    *w*) out=$({ true >>"./$name"; } 2>&1) || fail "error $out" ;;
  esac
}
open_new() {
  case $a in *c*) ;; *) fail absent; return 1 ;; esac
  out=$({ set -C; true >"./$name"; } 2>&1) || fail "error $out" || return 1
  [ "$b" = 644 ] || try chmod "$b" "./$name"
}
open() {
  enter "$folder" && no_link || return 1
  case $a in *w*) not_mount || return 1 ;; esac
  if [ -e "./$name" ]; then open_old; else open_new; fi && show
}
read_data() {
  enter "$folder" && same "$a" || return 1
  out=$({ true <"./$name"; } 2>&1) || fail "error $out" || return 1
  try stat -c %s "./$name" || return 1
  bytes=$((out - b * ${blockBytes}))
  [ $bytes -ge 0 ] || bytes=0
  [ $bytes -le $((c * ${blockBytes})) ] || bytes=$((c * ${blockBytes}))
  printf 'ok %s\\0' $bytes
  [ $bytes = 0 ] && return
  { dd bs=${blockBytes} skip="$b" count="$c" <"./$name"; cat /dev/zero; } | head -c $bytes
}
store() {
  enter "$folder" && same "$a" && not_mount || return 1
  if [ "$d" = append ]; then out=$(cat 2>&1 >>"./$name")
  else out=$({ dd bs=1 seek="$b" count=0 conv=notrunc 2>/dev/null </dev/null && cat; } 2>&1 3<>"./$name" >&3); fi || fail "error $out"
}
write_data() {
  out=$(dd bs="$c" count=1 iflag=fullblock 2>/dev/null | {
    store
    code=$?
    cat >/dev/null
    [ $code = 0 ] || printf %s "$out"
    exit $code
  })
}
change() {
  enter "$folder" && not_mount && present && no_link || return 1
  [ "$d" = - ] || same "$d" || return 1
  case $a in
    mode) try chmod "$b" "./$name" ;;
    size) [ -f "./$name" ] || fail not_regular && try dd bs=1 seek="$b" count=0 of="./$name" ;;
    times) try touch -c -t "$c" "./$name" && { [ "$b" = "$c" ] || try touch -c -a -t "$b" "./$name"; } ;;
  esac
}
make_folder() { enter "$folder" && not_mount && absent && try mkdir -m "$a" "./$name"; }
remove_folder() {
  enter "$folder" && present && no_link || return 1
  [ -d "./$name" ] || fail not_directory && try rmdir "./$name"
}
remove() {
  enter "$folder" && not_mount && present || return 1
  if [ -d "./$name" ] && ! [ -L "./$name" ]; then fail directory; else try rm -f "./$name"; fi
}
remove_tree() { enter "$folder" && not_mount && present && try rm -rf "./$name"; }
rename() {
  take "$c" && to_folder=$text
  take "$d" && to_name=$text
  from=$name name=$to_name
  enter "$to_folder" && not_mount || return 1
  to=\${PWD%/}/$name
  [ "$a" = replace ] || absent || return 1
  name=$from
  enter "$folder" && not_mount && present && try mv -f -T "./$name" "$to"
}
link() {
  take "$c" && target=$text
  enter "$folder" && not_mount && absent && try ln -s -- "$target" "./$name"
}
read_link() {
  enter "$folder" && present || return 1
  [ -L "./$name" ] || fail not_link || return 1
  out=$(readlink -n "./$name" && printf x) || fail "error" || return 1
  out=\${out%x}
}
resolve() {
  enter "$folder" || return 1
  if [ "$name" = . ]; then out=$PWD
  elif [ -L "./$name" ]; then
    leads || return 1
    out=\${target%x}
    out=\${out%"$line_end"}
  else out=\${PWD%/}/$name; fi
}
for tool in ${tools}; do
  command -v "$tool" >/dev/null || { printf 'no %s\\0' "$tool"; exit 0; }
done
printf 'ok\\0'
while read -r word folder_lines name_lines a b c d; do
  take "$folder_lines"
  folder=$text
  take "$name_lines"
  name=$text out=
  case $word in
    list) list || printf 'no %s\\0' "$out" ;;
    read_data) read_data || printf 'no %s\\0' "$out" ;;
    *) if "$word"; then printf 'ok %s\\0' "$out"; else printf 'no %s\\0' "$out"; fi ;;
  esac
  cd /
done
exit 0
`
