// An error that the user of the command line can fix: shown as a message without a stack.

export class UserError extends Error {
  override readonly name: string = 'UserError'
  readonly exitCode: number = 1
  readonly code: string | undefined

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options)
    this.code = code
  }
}

export async function asUserError<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new UserError((error as Error).message, { cause: error })
  }
}
