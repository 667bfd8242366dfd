#!/bin/sh
# Writes a file that Excel and LibreOffice open by itself: all apps, with a byte order mark for their umlauts, and an apostrophe
# in front of text that they would run as a formula. The file appears when it is whole, and a failed walk leaves the old one.
#
#   export VITRINE_KEY=vtr_…  VITRINE_CONNECTION=studio
#   examples/spreadsheet/apps-csv.sh apps.csv
set -eu
file=${1:?is the file to write}
trap 'rm -f "$file.part"' EXIT
"${VITRINE:-vitrine}" read listApps --sort name --fields name,bundleId,sku --all --output csv --bom >"$file.part"
mv "$file.part" "$file"
