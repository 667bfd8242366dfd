#!/bin/sh
# Writes all apps as a CSV file for Excel and LibreOffice: with a byte order mark for UTF-8, and an apostrophe in front of text
# that they would run as a formula. The file is replaced only when it is complete.
#
#   export VITRINE_KEY=vtr_…  VITRINE_CONNECTION=studio
#   examples/spreadsheet/apps-csv.sh apps.csv
set -eu

usage() {
  printf '%s\nusage: %s FILE\nFILE is the CSV file to write, such as apps.csv; an older one is replaced.\n' "$1" "$0" >&2
  exit 2
}
[ $# -eq 1 ] || usage "apps-csv: one argument is needed, and $# were given."
case $1 in '' | -*) usage 'apps-csv: the argument is no file name.' ;; esac
file=$1
[ ! -d "$file" ] || usage "apps-csv: $file is a folder."
[ -d "$(dirname "$file")" ] || usage "apps-csv: there is no folder $(dirname "$file")."

trap 'rm -f "$file.part"' EXIT
"${VITRINE:-vitrine}" read listApps --sort name --fields name,bundleId,sku --all --output csv --bom >"$file.part"
mv "$file.part" "$file"
