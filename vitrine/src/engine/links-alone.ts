// The text of relationships that hold links alone, half of a page of apps, which nothing reads.

/** printable ASCII without quote and backslash */
const plain = '"[!#-[\\]-~]*"'
const links = `\\{"\\w+":${plain}(?:,"\\w+":${plain})*\\}`
const relationship = `"\\w+":\\{"links":${links}\\}`
export const noRelationships = ',"relationships":\\{\\}'
export const ownLinks = `,"links":${links}`
/** with the links of their resource, if these come next */
export const linksAlone = `,"relationships":\\{${relationship}(?:,${relationship})*\\}(?:${ownLinks})?`
