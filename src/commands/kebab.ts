// A name of the catalogue or of a request, as the command line writes it: `appId` is `--app-id`.
export const kebabOf = (name: string): string => name.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)
