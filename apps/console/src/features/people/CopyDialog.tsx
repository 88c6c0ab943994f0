/** Copies persons into a group of this park or of another one. */
import { Form, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_MAX, PARK_LIST_PAGE_START } from '@gatehouse/contract'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { toast } from '../../kit/feedback.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import { useMayOpen, useSession } from '../../api/session.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { GroupField } from './GroupField.tsx'
import { personKinds, type RegisterKind } from './personKinds.ts'
import styles from './people.module.css'

/** @param editor its target is the ids of the persons */
export default function CopyDialog({ editor, kind, onDone }: { editor: Editor<string[]>; kind: RegisterKind; onDone: () => void }) {
  const { t } = useTranslation('people')
  const park = useSession((session) => session.park?.id)
  const ids = editor.target ?? []
  return (
    <FormDialog
      call={peopleCalls.copy}
      editor={editor}
      title={t('copyTitle', { count: ids.length })}
      initial={ready({ parkId: park, kind })}
      hidden={{ ids }}
      done=""
      onDone={({ copied }) => {
        toast(copied > 0 ? 'success' : 'info', t(copied > 0 ? 'copied' : 'copiedNobody', { count: copied }))
        onDone()
      }}
      draft={`${kind}.copy`}
      width={480}
    >
      <CopyFields kind={kind} here={park} />
    </FormDialog>
  )
}

function CopyFields({ kind, here }: { kind: RegisterKind; here: string | undefined }) {
  const { t } = useTranslation('people')
  const form = Form.useFormInstance<{ parkId?: string; groupId?: string }>()
  const parkId = Form.useWatch('parkId', form) ?? here
  const mayElsewhere = useMayOpen({ permission: null, condition: 'changePark' })
  const mayCustomers = useMayOpen({ permission: 'person.list', condition: 'customerManager' })
  const parks = useRead(
    organisationCalls.parkList,
    { query: { page: PARK_LIST_PAGE_START, size: PAGE_SIZE_MAX } },
    { enabled: mayElsewhere },
  )
  const several = (parks.data?.content.length ?? 0) > 1
  const elsewhere = parkId !== here
  return (
    <>
      {several && (
        <Form.Item name="parkId" label={t('toPark')} extra={t(elsewhere ? 'copyElsewhere' : 'copyHere')}>
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            options={(parks.data?.content ?? []).map(({ id, parkName }) => ({ value: id, label: parkName }))}
            // A group of the park chosen before does not belong to this one.
            onChange={() => form.setFieldValue('groupId', undefined)}
          />
        </Form.Item>
      )}
      {mayCustomers && (
        <Form.Item name="kind" label={t('copyAs')}>
          <Segmented
            aria-label={t('copyAs')}
            options={[
              { value: 'staff', label: t('kind.staff') },
              { value: 'customer', label: t('kind.customer') },
            ]}
          />
        </Form.Item>
      )}
      <Form.Item name="groupId" label={t('toGroup')} required>
        <GroupField key={parkId} type={personKinds[kind].groupType} parkId={elsewhere ? parkId : undefined} />
      </Form.Item>
      {!several && <p className={styles.hint}>{t('copyHere')}</p>}
    </>
  )
}
