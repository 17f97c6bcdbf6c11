/** The file `peers.js`, which `links.js` loads. */
export { readPeerTags as default } from '../parts/peer-tags.ts';
