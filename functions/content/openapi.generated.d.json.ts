declare const document: object;
export default document;
