/** Id of what belongs to the installation rather than to one park: its data key, its settings. */
export const INSTALLATION_ID = '00000000-0000-7000-8000-000000000000'
