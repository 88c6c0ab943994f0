/** The documents that visitors agree to or sign on their phones, with their texts in each language. */
import { PlusOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { visitorDocumentCalls, type VisitorDocuments } from '@gatehouse/contract/visitors/documents'
import { DOCUMENTS_MAX } from '@gatehouse/contract/visitors/signing'
import { readOptions, useRead } from '../../../api/query.ts'
import { useMayCall, useSession } from '../../../api/session.ts'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { DocumentFields } from './DocumentFields.tsx'
import styles from './settings.module.css'

type Documents = NonNullable<InputOf<typeof visitorDocumentCalls.change.body>['documents']>
interface Values {
  documents: Documents
  version: number
}

const valuesOf = ({ documents, version }: VisitorDocuments): Values => ({
  documents: documents.map(({ textVersion: _, ...document }) => document),
  version,
})

export function DocumentsEditor() {
  const mayRead = useMayCall(visitorDocumentCalls.list)
  return mayRead ? <Editor /> : null
}

function Editor() {
  const { t } = useTranslation('visitors')
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const found = useRead(visitorDocumentCalls.list, {})
  const contract = useContractForm<typeof visitorDocumentCalls.change, Values>({
    call: visitorDocumentCalls.change,
    draft: `visitorDocuments.${park}`,
    done: t('saved'),
    onDone: (saved) => {
      cache.setQueryData(readOptions(visitorDocumentCalls.list, {}).queryKey, saved)
      // New documents have ids now, and the next change is based on this version.
      contract.form.setFieldsValue(valuesOf(saved) as never)
    },
  })
  const { dirty, restored, pending, discard, form, changed } = contract
  const unsaved = dirty || restored
  const startOver = async (): Promise<void> => {
    const { data } = await found.refetch()
    discard()
    if (data) form.setFieldsValue(valuesOf(data) as never)
  }
  return (
    <section className={styles.editor} aria-label={t('documents.title')}>
      <header>
        <h2>{t('documents.title')}</h2>
        <p>{t('documents.words')}</p>
      </header>
      <FormBody id={id} initial={loadedFrom(found, valuesOf)} contract={contract}>
        <Lines changed={changed} versions={new Map((found.data?.documents ?? []).map((one) => [one.id, one.textVersion]))} />
      </FormBody>
      <div className={styles.foot}>
        <Button type="primary" htmlType="submit" form={id} loading={pending} disabled={!unsaved}>
          {t('documents.save')}
        </Button>
        {(unsaved || contract.failures.length > 0) && <Button onClick={() => void startOver()}>{t('settings.discard')}</Button>}
        <span role="status">{unsaved && t('settings.unsaved')}</span>
      </div>
    </section>
  )
}

interface LinesProps {
  /** Called when a document is added or removed: the form notices only typing. */
  changed: () => void
  /** Current version by document. */
  versions: ReadonlyMap<string, number>
}

function Lines({ changed, versions }: LinesProps) {
  const { t } = useTranslation('visitors')
  return (
    <Form.List name="documents">
      {(lines, { add, remove }, { errors }) => (
        <>
          <Form.ErrorList errors={errors} />
          {lines.length === 0 && <p className={styles.none}>{t('documents.none')}</p>}
          {lines.map(({ key, name: at }) => (
            <DocumentFields
              key={key}
              at={at}
              versions={versions}
              remove={() => {
                remove(at)
                changed()
              }}
            />
          ))}
          {lines.length < DOCUMENTS_MAX ? (
            <Button
              icon={<PlusOutlined />}
              onClick={() => {
                add({ agreement: 'sign', enabled: true, texts: {} })
                changed()
              }}
            >
              {t('documents.add')}
            </Button>
          ) : (
            <p className={styles.none}>{t('documents.full', { count: DOCUMENTS_MAX })}</p>
          )}
        </>
      )}
    </Form.List>
  )
}
