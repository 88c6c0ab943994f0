/** Return the secret of a device that was added here. @throws Error where the user who added it may not pair devices */
export function secretOf({ code, secret }: { code: string; secret: string | null }): string {
  if (secret === null) throw new Error(`${code} was added by somebody who may not pair devices`)
  return secret
}
