/** Settings that one call reads and another one replaces: in their place on a page, saved together, with a foot that stays in sight. */
import { useQueryClient } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { readOptions } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { FormBody } from './FormBody.tsx'
import { ready } from './loaded.ts'
import { SettingsFoot } from './SettingsFoot.tsx'
import { useContractForm } from './useContractForm.ts'
import styles from './settings.module.css'

interface SettingsFormProps<Values extends object> {
  read: AnyCall
  /** Answers with the settings as `read` does. */
  save: AnyCall
  /** Settings with their version: rendered anew, by a key, for another version. */
  settings: Values & { version: number }
  /** Name under which unsaved input is stored, in each park by itself. */
  draft: string
  texts: { save: string; discard: string; unsaved: string; done: string }
  /** Shown above the settings. */
  above?: ReactNode
  children: ReactNode
}

export function SettingsForm<Values extends object>({ read, save, settings, draft, texts, above, children }: SettingsFormProps<Values>) {
  const { version, ...values } = settings
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const contract = useContractForm<AnyCall, object>({
    call: save,
    hidden: { version },
    draft: `${draft}.${park}`,
    done: texts.done,
    // Shown at once: until the next read the former settings would reappear for a moment.
    onDone: (saved) => cache.setQueryData(readOptions(read, {} as PartsOf<AnyCall>).queryKey, saved as never),
  })
  return (
    <div className={styles.page}>
      {above}
      <FormBody id={id} initial={ready(values)} contract={contract}>
        {children}
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={contract.dirty || contract.restored}
        pending={contract.pending}
        texts={texts}
        discard={contract.discard}
      />
    </div>
  )
}
