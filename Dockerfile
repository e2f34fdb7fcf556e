# LM Lab in a container: not as root, and writing nowhere but to /lab (a volume) and /tmp.
FROM python:3.12.12-slim-bookworm AS packages
# PyPI's torch brings 3 GB of CUDA packages. For GPUs: --build-arg TORCH_INDEX=https://pypi.org/simple
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PATH=/opt/lab/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/lab
COPY requirements.txt deploy/requirements.lock deploy/torch.lock /build/
# `make lock` writes versions and hashes; torch.lock has the hashes of both builds. The last line brings what
# the build for graphics cards needs besides, and nothing for the other.
RUN pip install --require-hashes --no-deps --only-binary :all: -r /build/requirements.lock \
    && pip install --require-hashes --no-deps --only-binary :all: --index-url "$TORCH_INDEX" -r /build/torch.lock \
    && pip install --index-url "$TORCH_INDEX" "$(grep '^torch==' /build/requirements.txt)" \
    && pip check

FROM python:3.12.12-slim-bookworm
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin lab \
    && install -d -o lab -g lab /lab
COPY --from=packages /opt/lab /opt/lab
WORKDIR /app
COPY .streamlit .streamlit
COPY assets assets
COPY lm_core lm_core
COPY pages pages
COPY app.py .
COPY deploy/healthy.py /opt/lab/
RUN /opt/lab/bin/python -m compileall -q app.py lm_core pages

# What Streamlit and Dask write beside the lab's own files is of no worth after a restart.
ENV PATH=/opt/lab/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PYTHONPATH=/app \
    HOME=/tmp \
    LM_LAB_HOME=/lab/home LM_LAB_CACHE=/lab/cache LM_LAB_DATA=/lab/data \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 STREAMLIT_SERVER_HEADLESS=true
USER 10001:10001
VOLUME /lab
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=8s --start-period=120s --retries=3 \
    CMD ["python", "/opt/lab/healthy.py"]
CMD ["streamlit", "run", "app.py"]
