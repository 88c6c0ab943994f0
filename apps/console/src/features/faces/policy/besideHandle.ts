/** The number at a slider's handle, kept in the page's own landmarks instead of behind its end. */
export const besideHandle = { getPopupContainer: (handle: HTMLElement): HTMLElement => handle.parentElement ?? document.body }
