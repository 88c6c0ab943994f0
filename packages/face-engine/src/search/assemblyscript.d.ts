/** As much of the compiler as is used: its own types bring a `console` and a `Math` of theirs into every file of the program. */
interface CompilerHost {
  readFile(name: string): string | null
  writeFile(name: string, contents: Uint8Array | string): void
  listFiles(): string[]
}
declare const asc: {
  main(words: string[], host: CompilerHost): Promise<{ error: Error | null; stderr: { toString(): string } }>
}
export default asc
