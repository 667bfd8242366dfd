// A number for each owner of cached entries, never reused.

export function createOwnerIds(): (owner: object) => number {
  const owners = new WeakMap<object, number>()
  let count = 0
  return (owner) => {
    const number = owners.get(owner) ?? count++
    owners.set(owner, number)
    return number
  }
}
