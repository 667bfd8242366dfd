// A camelCase name in the spelling of the command line: `appId` is `--app-id`.
export const kebabOf = (name: string): string => name.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)
