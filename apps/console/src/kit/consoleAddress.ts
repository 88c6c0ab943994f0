/** Return the address under which this browser has opened the console, without a slash at its end. */
export const consoleAddress = (): string => `${location.origin}${location.pathname}`.replace(/\/(index\.html)?$/, '')
