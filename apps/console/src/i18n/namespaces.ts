/** `./people.json` becomes the namespace `people`. */
export const namespacesOf = (files: Record<string, object>): Record<string, object> =>
  Object.fromEntries(Object.entries(files).map(([file, texts]) => [file.replace(/^.*\/|\.json$/g, ''), texts]))
