#!/bin/sh
# Writes all apps as a CSV file for Excel and LibreOffice: with a byte order mark for UTF-8, and an apostrophe in front of text
# that they would run as a formula. The file is replaced only when it is complete.
#
#   export VITRINE_KEY=vtr_…  VITRINE_CONNECTION=studio
#   examples/spreadsheet/apps-csv.sh apps.csv
set -eu
file=${1:?is the file to write}
trap 'rm -f "$file.part"' EXIT
"${VITRINE:-vitrine}" read listApps --sort name --fields name,bundleId,sku --all --output csv --bom >"$file.part"
mv "$file.part" "$file"
