// Numbers for what is remembered apart: the same owner has the same one as long as it lives, and no two ever share one.

export function numberOwners(): (owner: object) => number {
  const owners = new WeakMap<object, number>()
  let count = 0
  return (owner) => {
    const number = owners.get(owner) ?? count++
    owners.set(owner, number)
    return number
  }
}
