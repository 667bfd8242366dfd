// Derived of package.json by npm run derive.
export const version = '0.1.0'
