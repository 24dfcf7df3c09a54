// SPDX-License-Identifier: Apache-2.0
// The service worker: all files are kept when the page is opened for the first time, and come from there from then on.
declare const FILES: string[];
declare const VERSION: string;

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as EventTarget & { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };
const NAME = 'shaped-' + VERSION;

worker.addEventListener('install', event => (event as Extendable).waitUntil((async () => {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map(file => new Request(file, { cache: 'no-cache' })));
  await worker.skipWaiting();
})()));

worker.addEventListener('activate', event => (event as Extendable).waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('shaped-') && name !== NAME) await caches.delete(name);
  await worker.clients.claim();
})()));

worker.addEventListener('fetch', event => {
  const { request } = event as Fetching;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  (event as Fetching).respondWith((async () => {
    const cache = await caches.open(NAME);
    return await cache.match(request, { ignoreSearch: true }) ?? fetch(request);
  })());
});
