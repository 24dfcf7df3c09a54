// SPDX-License-Identifier: Apache-2.0
// Programs that are dropped, pasted or opened. Text is edited; the rest stays the file that it is, and is read in parts.
import { byId } from './dom';

export interface Given {
  name: string;
  /** To be edited; undefined: a file that is not. */
  text?: string;
  file?: Blob;
}

const TEXT_MAX = 8 << 20, LOOK = 4096;

/** A file as text, where it is one that an editor can hold. */
export async function given(name: string, file: Blob): Promise<Given> {
  const head = new Uint8Array(await file.slice(0, LOOK).arrayBuffer());
  if (file.size <= TEXT_MAX && !head.some(byte => byte < 0x20 && !(byte >= 9 && byte <= 13))) {
    try {
      return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) };
    } catch {
      // bytes that are not text
    }
  }
  return { name, file };
}

export function followFiles(take: (next: Given) => void, fail: (problem: string) => void): void {
  const field = byId<HTMLInputElement>('file'), drop = byId('drop');
  const takeFile = async (file: File | undefined | null) => {
    if (!file) return;
    try {
      take(await given(file.name, file));
    } catch (error) {
      fail(`${file.name} cannot be read: ${error instanceof Error ? error.message : error}`);
    }
  };
  field.addEventListener('change', () => {
    void takeFile(field.files?.[0]);
    field.value = '';
  });
  const carries = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  window.addEventListener('dragover', event => {
    if (!carries(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  window.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) drop.hidden = true;
  });
  window.addEventListener('drop', event => {
    drop.hidden = true;
    if (!carries(event)) return;
    event.preventDefault();
    event.stopPropagation();
    void takeFile(event.dataTransfer?.files[0]);
  }, true);
  window.addEventListener('paste', event => {
    const file = event.clipboardData?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    void takeFile(file);
  }, true);
}
