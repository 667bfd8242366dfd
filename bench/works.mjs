// What is asked for, and the proof that a subject really answers it.

export const works = [
  { name: 'one', about: 'One resource, about 1 kB', count: 1 },
  { name: 'page', about: 'First page of 50 apps, default fields', count: 50 },
]

const reviewResponseId = '00000028-b08c-4014-829e-0c0000000028'

/** the request that gets this work from a running subject */
export const requestFor = (work, subject, { origin, headers }) => ({
  url: origin + subject.pathOf[work.name](reviewResponseId),
  headers,
})

/** asks once; returns the size of the answer in bytes, or throws when it is not the answer */
export async function check(work, subject, { url, headers }) {
  const response = await fetch(url, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${subject.name} answers ${work.name} with ${response.status}: ${text}`)
  const count = subject.countIn[work.name](JSON.parse(text))
  if (count !== work.count) throw new Error(`${subject.name} answers ${work.name} with ${count} items`)
  return Buffer.byteLength(text)
}
