// Something that the person at the command line can mend: said in words, without a stack.

export class Complaint extends Error {
  override readonly name: string = 'Complaint'
  /** what the process ends with */
  readonly exitCode: number = 1
}

/** turns any failure of `act` into a complaint with its message */
export async function orComplain<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new Complaint((error as Error).message, { cause: error })
  }
}
