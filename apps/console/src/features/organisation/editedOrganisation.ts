/** What a dialog is about: an organisation that is there, or a new one below another. */
export interface EditedOrganisation {
  id?: string
  parent: { id: string; type: number; isTop: boolean }
}
